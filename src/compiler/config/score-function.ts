import type { ScoreFunction } from '../../contracts/compiled-model.ts';
import type { JsonObject } from '../../contracts/json.ts';

/** Of a reranker, as sentence-transformers saves it; older versions have a field of their own. Only the class is looked at. */
function activationClass({ sentence_transformers: section, sbert_ce_default_activation_function: older }: JsonObject) {
  const fields = typeof section === 'object' && section !== null ? new Map(Object.entries(section)) : undefined;
  const classPath = fields?.get('activation_fn') ?? older;
  return typeof classPath === 'string' ? classPath.split('.').at(-1) : undefined;
}

/**
 * What makes scores of the logits: for several labels as transformers' pipeline decides it by `problem_type`; for one label
 * what the reranker's own config says, otherwise nothing for a regression and the sigmoid for the rest.
 * Source: https://github.com/huggingface/transformers/blob/v5.0.0/src/transformers/pipelines/text_classification.py
 */
export function scoreFunction(config: JsonObject, labels: number): ScoreFunction {
  const { problem_type: problemType } = config;
  if (labels === 1) {
    const own = activationClass(config);
    if (own === 'Identity') return 'none';
    if (own === 'Sigmoid') return 'sigmoid';
  }
  if (problemType === 'regression') return 'none';
  return problemType === 'multi_label_classification' || labels === 1 ? 'sigmoid' : 'softmax';
}
