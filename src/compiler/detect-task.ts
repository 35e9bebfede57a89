import type { Task } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';

/** Endings of class names in `architectures` whose body makes embeddings; what they put on top of it is not used. */
const BODY_ENDINGS = ['Model', 'ForMaskedLM', 'ForPreTraining'];

/** As the reference counts: `id2label` wins, then `num_labels`; a config with neither has two labels. */
function labelCount(config: JsonObject): number {
  const { id2label, num_labels: numLabels } = config;
  if (typeof id2label === 'object' && id2label !== null) return Object.keys(id2label).length;
  return typeof numLabels === 'number' ? numLabels : 2;
}

/**
 * The rule by which a model's files say what it is for, by the first name in `architectures`:
 * `…ForSequenceClassification` with one label reranks; a bare body embeds, and so does any other class that comes with
 * a `modules.json`. Everything else throws `unsupported_architecture`.
 */
export function detectTask(folder: ModelFolder): Task {
  const { architectures } = folder.config;
  const name = Array.isArray(architectures) && typeof architectures[0] === 'string' ? architectures[0] : undefined;
  if (name?.endsWith('ForSequenceClassification')) {
    const labels = labelCount(folder.config);
    if (labels === 1) return 'rerank';
    throw new ServiceError(
      'unsupported_architecture',
      `model '${folder.id}': ${name} has ${labels} labels, expected 1: of the classifiers only rerankers are supported`,
    );
  }
  const isBody = name === undefined || BODY_ENDINGS.some((ending) => name.endsWith(ending));
  if (isBody || folder.modules.length > 0) return 'embed';
  const expected = [...BODY_ENDINGS, 'ForSequenceClassification'].map((ending) => `…${ending}`).join(', ');
  throw new ServiceError(
    'unsupported_architecture',
    `model '${folder.id}': architectures names ${name}, expected one of ${expected}, or a modules.json`,
  );
}
