import type { ScoreFunction } from '../../contracts/compiled-model.ts';
import { ServiceError } from '../../contracts/errors.ts';
import { isJsonObject, type JsonValue } from '../../contracts/json.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';

/** Where sentence-transformers says how a reranker's logit becomes a score. */
type ScoreFiles = Pick<ModelFolder, 'id' | 'config' | 'sentenceTransformersConfig'>;

/** Class of the activation -> function. The class is never loaded. */
const FUNCTIONS: ReadonlyMap<string, ScoreFunction> = new Map([
  ['Identity', 'none'],
  ['Sigmoid', 'sigmoid'],
]);

function fieldOf(section: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(section) ? section[name] : undefined;
}

/** Class paths from the newest layout to the oldest: versions 5 and 6, 4, before 4. */
function activationPath({ config, sentenceTransformersConfig }: ScoreFiles): string | undefined {
  const paths = [
    sentenceTransformersConfig?.activation_fn,
    fieldOf(config.sentence_transformers, 'activation_fn'),
    config.sbert_ce_default_activation_function,
  ];
  // The reference takes the default for classes that are not torch's own, rather than run their code.
  return paths.filter((path) => typeof path === 'string').find((path) => path.startsWith('torch.'));
}

/** `undefined` where the files leave it to the default. Throws `unsupported_architecture`. */
function ownFunction(files: ScoreFiles): ScoreFunction | undefined {
  const path = activationPath(files);
  if (path === undefined) return undefined;
  const found = FUNCTIONS.get(path.split('.').at(-1) ?? '');
  if (found !== undefined) return found;
  throw new ServiceError(
    'unsupported_architecture',
    `model '${files.id}': activation_fn is '${path.slice(0, 200)}', expected one of ${[...FUNCTIONS.keys()].join(', ')} of torch.nn`,
  );
}

/**
 * What makes scores of the logits: for several labels as transformers' pipeline decides it by `problem_type`; for one label
 * what the reranker's own files say, otherwise nothing for a regression and the sigmoid for the rest.
 * Sources: https://github.com/huggingface/transformers/blob/v5.0.0/src/transformers/pipelines/text_classification.py,
 * https://github.com/UKPLab/sentence-transformers/blob/v5.0.0/sentence_transformers/cross_encoder/CrossEncoder.py
 */
export function scoreFunction(files: ScoreFiles, labels: number): ScoreFunction {
  const own = labels === 1 ? ownFunction(files) : undefined;
  if (own !== undefined) return own;
  const { problem_type: problemType } = files.config;
  if (problemType === 'regression') return 'none';
  return problemType === 'multi_label_classification' || labels === 1 ? 'sigmoid' : 'softmax';
}
