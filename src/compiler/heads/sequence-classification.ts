import { ServiceError } from '../../contracts/errors.ts';
import type { ConfigureHead } from './head.ts';

/** One logit per item: a reranker. */
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
  const labels = 1;
  return {
    outputName: 'logits',
    outputWidth: labels,
    wantedTokens: classifier.wantedTokens,
    apply: (g, root, body, hidden) => classifier.logits(g, root, body, hidden, labels),
  };
};
