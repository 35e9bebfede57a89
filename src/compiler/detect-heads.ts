import type { Task } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import type { TextModel } from './architectures/architecture.ts';
import { classifiedLabels } from './heads/classified-labels.ts';
import { isGenerativeReranker } from './heads/generative/generative-reranker.ts';
import type { Tensors } from './heads/head.ts';
import type { HeadName } from './heads/registry.ts';
import { hasBgeM3Layers, hasVocabularyLayer, headsByTask, moduleTypesOf } from './heads-by-task.ts';

/** Endings of class names in `architectures` whose body makes embeddings. */
const BODY_ENDINGS = ['Model', 'ForMaskedLM', 'ForPreTraining'];

/** Class names of transformers say what their head is for. */
const NAMES_ITS_HEAD = /For[A-Z]/;

/** Marks a folder of the original ColBERT code. */
const COLBERT_FILE = 'artifact.metadata';
const COLBERT_CLASS = 'HF_ColBERT';

function classNameOf({ config: { architectures } }: ModelFolder): string | undefined {
  return Array.isArray(architectures) && typeof architectures[0] === 'string' ? architectures[0] : undefined;
}

/** What `modules.json` alone says, if it says it. */
function byModules(folder: ModelFolder): readonly HeadName[] | undefined {
  const types = moduleTypesOf(folder);
  if (types.includes('LogitScore')) return ['generativeRerank'];
  if (types.includes('SpladePooling')) return ['splade'];
  if (types[0] === 'StaticEmbedding') return ['pooledEmbedding'];
  return types.includes('Dense') && !types.includes('Pooling') ? ['colbert'] : undefined;
}

function byClass(folder: ModelFolder, className: string | undefined): readonly HeadName[] | undefined {
  if (className?.endsWith('ForSequenceClassification')) return ['sequenceClassification'];
  if (isGenerativeReranker(folder)) return ['generativeRerank'];
  const isColbert = className === COLBERT_CLASS || folder.files.includes(COLBERT_FILE);
  return isColbert && folder.modules.length === 0 ? ['colbert'] : undefined;
}

/** What the checkpoint alone says, where no class names the head. */
function byTensors(
  folder: ModelFolder,
  className: string | undefined,
  model: TextModel,
  tensors: Tensors,
): readonly HeadName[] | undefined {
  const endsInVectors = moduleTypesOf(folder).some((type) => type !== 'Transformer');
  if (endsInVectors || (className !== undefined && NAMES_ITS_HEAD.test(className))) return undefined;
  return classifiedLabels(model, tensors) > 0 ? ['sequenceClassification'] : undefined;
}

/** What a body does: embeddings, and whatever else its checkpoint has the weights for. */
function ofBody(
  folder: ModelFolder,
  className: string | undefined,
  model: TextModel,
  tensors: Tensors,
): readonly HeadName[] {
  const isBody = className === undefined || BODY_ENDINGS.some((ending) => className.endsWith(ending));
  if (!isBody && folder.modules.length === 0) return [];
  if (hasBgeM3Layers(tensors)) return ['pooledEmbedding', 'bgeM3Sparse', 'bgeM3Colbert'];
  const isMasked = className?.endsWith('ForMaskedLM') === true && folder.modules.length === 0;
  return isMasked && hasVocabularyLayer(model, tensors) ? ['pooledEmbedding', 'splade'] : ['pooledEmbedding'];
}

/** The head of the task that was asked for by `--task`, if the files have the weights for it. */
function headOf(task: Task, folder: ModelFolder, model: TextModel, tensors: Tensors): HeadName {
  const possible = headsByTask(folder, model, tensors);
  const head = possible.get(task);
  if (head !== undefined) return head;
  const others = [...possible.keys()].join(', ') || 'nothing';
  throw new ServiceError(
    'unsupported_architecture',
    `model '${folder.id}': --task asks for ${task}, but its files can only do ${others}`,
  );
}

/**
 * The rule by which a model's files say what it is for. The first that fits decides:
 *
 * 1. `modules.json` lists LogitScore: rerank, by the next token. It lists SpladePooling: sparse. It begins with
 *    StaticEmbedding: embed. It has a Dense and no Pooling (PyLate): colbert.
 * 2. The first name in `architectures` is `…ForSequenceClassification`: rerank with one label, classify with more; both for a
 *    regression with one label. It is `…ForCausalLM` of a qwen2 or qwen3 without `modules.json`: rerank, by the next token.
 * 3. That name is HF_ColBERT, or there is an `artifact.metadata`: colbert.
 * 4. `modules.json` is missing or lists a Transformer alone, and there is no `For…` in that name, but the checkpoint has the
 *    family's classification layer (`classifier.weight`, `classifier.out_proj.weight`, `score.weight`): as
 *    `…ForSequenceClassification`.
 * 5. A bare body (`…Model`, `…ForMaskedLM`, `…ForPreTraining`, no name), or any class that comes with a `modules.json`: embed.
 *    With `sparse_linear.pt` and `colbert_linear.pt` (BGE-M3) sparse and colbert as well. A `…ForMaskedLM` without
 *    `modules.json` that has its output layer is sparse as well: nothing in such a folder tells a SPLADE model from a plain
 *    one, so it is served as both.
 *
 * Everything else throws `unsupported_architecture`. A `task` other than `auto` overrides the rule: it gets its head where
 * the files have the weights for it, and throws `unsupported_architecture` with a list of what they can do where not.
 */
export function detectHeads(
  folder: ModelFolder,
  model: TextModel,
  tensors: Tensors,
  task: Task | 'auto' = 'auto',
): readonly [HeadName, ...HeadName[]] {
  if (task !== 'auto') return [headOf(task, folder, model, tensors)];
  const className = classNameOf(folder);
  const [first, ...others] =
    byModules(folder) ??
    byClass(folder, className) ??
    byTensors(folder, className, model, tensors) ??
    ofBody(folder, className, model, tensors);
  if (first !== undefined) return [first, ...others];
  const expected = [...BODY_ENDINGS, 'ForSequenceClassification'].map((ending) => `…${ending}`).join(', ');
  const possible = [...headsByTask(folder, model, tensors).keys()];
  const hint = possible.length === 0 ? '' : `; its files could do ${possible.join(', ')}, which --task asks for`;
  throw new ServiceError(
    'unsupported_architecture',
    `model '${folder.id}': architectures names ${className}, expected one of ${expected}, or a modules.json${hint}`,
  );
}
