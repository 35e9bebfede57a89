import type { Task } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import { labelCount } from './config/label-count.ts';

/** Endings of class names in `architectures` whose body makes embeddings; what they put on top of it is not used. */
const BODY_ENDINGS = ['Model', 'ForMaskedLM', 'ForPreTraining'];

/**
 * The rule by which a model's files say what it is for, by the first name in `architectures`:
 * `…ForSequenceClassification` with one label reranks, with more it classifies; a bare body embeds, and so does any other
 * class that comes with a `modules.json`. Everything else throws `unsupported_architecture`.
 */
export function detectTask(folder: ModelFolder): Task {
  const { architectures } = folder.config;
  const name = Array.isArray(architectures) && typeof architectures[0] === 'string' ? architectures[0] : undefined;
  if (name?.endsWith('ForSequenceClassification')) {
    return labelCount(folder.config) === 1 ? 'rerank' : 'classify';
  }
  const isBody = name === undefined || BODY_ENDINGS.some((ending) => name.endsWith(ending));
  if (isBody || folder.modules.length > 0) return 'embed';
  const expected = [...BODY_ENDINGS, 'ForSequenceClassification'].map((ending) => `…${ending}`).join(', ');
  throw new ServiceError(
    'unsupported_architecture',
    `model '${folder.id}': architectures names ${name}, expected one of ${expected}, or a modules.json`,
  );
}
