import { ServiceError } from '../../contracts/errors.ts';
import { labelCount } from '../config/label-count.ts';
import type { ConfigureHead } from './head.ts';

/** One logit per label: a reranker where there is one label, otherwise a classifier. */
export const sequenceClassification: ConfigureHead = (folder, model) => {
  const { classifier } = model;
  if (classifier === undefined) {
    throw new ServiceError(
      'unsupported_architecture',
      `model '${folder.id}': sequence classification is not supported for model_type '${folder.config.model_type}'`,
    );
  }
  const others = folder.modules.map((module) => module.type).filter((type) => type !== 'Transformer');
  if (others.length > 0) {
    throw new ServiceError(
      'unsupported_architecture',
      `model '${folder.id}': modules.json lists ${others.join(', ')}, expected none beside a sequence classification`,
    );
  }
  const labels = labelCount(folder.config);
  return {
    outputName: 'logits',
    outputWidth: labels,
    wantedTokens: classifier.wantedTokens,
    apply: (g, root, body, hidden) => classifier.logits(g, root, body, hidden, labels),
  };
};
