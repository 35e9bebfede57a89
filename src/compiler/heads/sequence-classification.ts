import type { Task } from '../../contracts/compiled-model.ts';
import { ServiceError } from '../../contracts/errors.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { labelNames } from '../config/label-names.ts';
import { scoreFunction } from '../config/score-function.ts';
import { classifiedLabels } from './classified-labels.ts';
import { itemOutput } from './graph-output.ts';
import type { ConfigureHead } from './head.ts';

/**
 * One label reranks, more classify. A regression with one label does both: such models score single texts (quality, say) as
 * often as pairs.
 */
function tasksOf(config: JsonObject, labels: number): readonly Task[] {
  if (labels > 1) return ['classify'];
  return config.problem_type === 'regression' ? ['rerank', 'classify'] : ['rerank'];
}

/** One logit per label. */
export const sequenceClassification: ConfigureHead = (folder, model, tensors) => {
  const { classifier } = model;
  const { config } = folder;
  if (classifier === undefined) {
    throw new ServiceError(
      'unsupported_architecture',
      `model '${folder.id}': sequence classification is not supported for model_type '${config.model_type}'`,
    );
  }
  const others = folder.modules.map((module) => module.type).filter((type) => type !== 'Transformer');
  if (others.length > 0) {
    throw new ServiceError(
      'unsupported_architecture',
      `model '${folder.id}': modules.json lists ${others.join(', ')}, expected none beside a sequence classification`,
    );
  }
  const labels = labelNames(config, classifiedLabels(model, tensors));
  return {
    tasks: tasksOf(config, labels.length),
    outputs: [itemOutput('logits', labels.length)],
    wantedTokens: classifier.wantedTokens,
    classification: { labels, scoreFunction: scoreFunction(folder, labels.length) },
    apply: (g, root, body, hidden) => [classifier.logits(g, root, body, hidden, labels.length)],
  };
};
