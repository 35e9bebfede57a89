import { ServiceError } from '../contracts/errors.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import type { TextModel } from './architectures/architecture.ts';
import { isGenerativeReranker } from './heads/generative/generative-reranker.ts';
import type { Tensors } from './heads/head.ts';
import type { HeadName } from './heads/registry.ts';

/** Endings of class names in `architectures` whose body makes embeddings. */
const BODY_ENDINGS = ['Model', 'ForMaskedLM', 'ForPreTraining'];

/** Marks a folder of the original ColBERT code. */
const COLBERT_FILE = 'artifact.metadata';
const COLBERT_CLASS = 'HF_ColBERT';

/** Both tensors of BGE-M3 that lie beside its checkpoint. */
const BGE_M3_TENSORS = ['sparse_linear.weight', 'colbert_linear.weight'];

function classNameOf({ config: { architectures } }: ModelFolder): string | undefined {
  return Array.isArray(architectures) && typeof architectures[0] === 'string' ? architectures[0] : undefined;
}

/** What `modules.json` alone says, if it says it. */
function byModules(folder: ModelFolder): readonly HeadName[] | undefined {
  const types = folder.modules.map(({ type }) => type);
  if (types.includes('LogitScore')) return ['generativeRerank'];
  if (types.includes('SpladePooling')) return ['splade'];
  if (types[0] === 'StaticEmbedding') return ['pooledEmbedding'];
  return types.includes('Dense') && !types.includes('Pooling') ? ['colbert'] : undefined;
}

/** What a body does: embeddings, and whatever else its checkpoint has the weights for. */
function ofBody(folder: ModelFolder, model: TextModel, tensors: Tensors): readonly HeadName[] {
  if (BGE_M3_TENSORS.every((name) => tensors.has(name))) return ['pooledEmbedding', 'bgeM3Sparse', 'bgeM3Colbert'];
  const isMasked = classNameOf(folder)?.endsWith('ForMaskedLM') === true && folder.modules.length === 0;
  const hasVocabulary = model.vocabularyHead !== undefined && tensors.has(model.vocabularyHead.anchor);
  return isMasked && hasVocabulary ? ['pooledEmbedding', 'splade'] : ['pooledEmbedding'];
}

/**
 * The rule by which a model's files say what it is for. The first that fits decides:
 *
 * 1. `modules.json` lists LogitScore: rerank, by the next token. It lists SpladePooling: sparse. It begins with
 *    StaticEmbedding: embed. It has a Dense and no Pooling (PyLate): colbert.
 * 2. The first name in `architectures` is `…ForSequenceClassification`: rerank with one label, classify with more; both for a
 *    regression with one label. It is `…ForCausalLM` of a qwen2 or qwen3 without `modules.json`: rerank, by the next token.
 * 3. That name is HF_ColBERT, or there is an `artifact.metadata`: colbert.
 * 4. A bare body (`…Model`, `…ForMaskedLM`, `…ForPreTraining`, no name), or any class that comes with a `modules.json`: embed.
 *    With `sparse_linear.pt` and `colbert_linear.pt` (BGE-M3) sparse and colbert as well. A `…ForMaskedLM` without
 *    `modules.json` that has its output layer is sparse as well: nothing in such a folder tells a SPLADE model from a plain
 *    one, so it is served as both.
 *
 * Everything else throws `unsupported_architecture`.
 */
export function detectHeads(
  folder: ModelFolder,
  model: TextModel,
  tensors: Tensors,
): readonly [HeadName, ...HeadName[]] {
  const className = classNameOf(folder);
  const [first, ...others] = byModules(folder) ?? byClass(folder, className) ?? ofBodyOrNone(folder, model, tensors);
  if (first !== undefined) return [first, ...others];
  const expected = [...BODY_ENDINGS, 'ForSequenceClassification'].map((ending) => `…${ending}`).join(', ');
  throw new ServiceError(
    'unsupported_architecture',
    `model '${folder.id}': architectures names ${className}, expected one of ${expected}, or a modules.json`,
  );
}

function byClass(folder: ModelFolder, className: string | undefined): readonly HeadName[] | undefined {
  if (className?.endsWith('ForSequenceClassification')) return ['sequenceClassification'];
  if (isGenerativeReranker(folder)) return ['generativeRerank'];
  const isColbert = className === COLBERT_CLASS || folder.files.includes(COLBERT_FILE);
  return isColbert && folder.modules.length === 0 ? ['colbert'] : undefined;
}

function ofBodyOrNone(folder: ModelFolder, model: TextModel, tensors: Tensors): readonly HeadName[] {
  const className = classNameOf(folder);
  const isBody = className === undefined || BODY_ENDINGS.some((ending) => className.endsWith(ending));
  return isBody || folder.modules.length > 0 ? ofBody(folder, model, tensors) : [];
}
