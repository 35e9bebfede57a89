import type { Task } from '../contracts/compiled-model.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import type { TextModel } from './architectures/architecture.ts';
import { classifiedLabels } from './heads/classified-labels.ts';
import { isGenerativeReranker } from './heads/generative/generative-reranker.ts';
import type { Tensors } from './heads/head.ts';
import type { HeadName } from './heads/registry.ts';

/** Both tensors of BGE-M3 that lie beside its checkpoint. */
const BGE_M3_TENSORS = ['sparse_linear.weight', 'colbert_linear.weight'];

/** The tensor that narrows every token's vector in a checkpoint of the original ColBERT code. */
const COLBERT_TENSOR = 'linear.weight';

/** Whether both layers of BGE-M3 lie beside the checkpoint. */
export function hasBgeM3Layers(tensors: Tensors): boolean {
  return BGE_M3_TENSORS.every((name) => tensors.has(name));
}

/** The class names of a folder's modules. */
export function moduleTypesOf({ modules }: ModelFolder): readonly string[] {
  return modules.map(({ type }) => type);
}

/** Whether the checkpoint has the output layer of a masked language model. */
export function hasVocabularyLayer({ vocabularyHead }: TextModel, tensors: Tensors): boolean {
  return vocabularyHead !== undefined && tensors.has(vocabularyHead.anchor);
}

function colbertHead(folder: ModelFolder, tensors: Tensors): HeadName | undefined {
  if (hasBgeM3Layers(tensors)) return 'bgeM3Colbert';
  const types = moduleTypesOf(folder);
  const narrows =
    types.length === 0 ? tensors.has(COLBERT_TENSOR) : types.includes('Dense') && !types.includes('Pooling');
  return narrows ? 'colbert' : undefined;
}

function sparseHead(model: TextModel, tensors: Tensors): HeadName | undefined {
  if (hasBgeM3Layers(tensors)) return 'bgeM3Sparse';
  return hasVocabularyLayer(model, tensors) ? 'splade' : undefined;
}

/**
 * What the files of a model have the weights for, whatever they say that it is for: each task that they can fulfil, with
 * its head. Of a module list only one that fits the task counts: a Pooling makes vectors, a lone Transformer logits.
 */
export function headsByTask(folder: ModelFolder, model: TextModel, tensors: Tensors): ReadonlyMap<Task, HeadName> {
  const types = moduleTypesOf(folder);
  const labels = types.every((type) => type === 'Transformer') ? classifiedLabels(model, tensors) : 0;
  const embeds = types.length === 0 || types.includes('Pooling') || types[0] === 'StaticEmbedding';
  const reranks = isGenerativeReranker(folder) ? 'generativeRerank' : undefined;
  const found: readonly (readonly [Task, HeadName | undefined])[] = [
    ['embed', embeds ? 'pooledEmbedding' : undefined],
    ['rerank', labels === 1 ? 'sequenceClassification' : reranks],
    ['classify', labels > 0 ? 'sequenceClassification' : undefined],
    ['sparse', sparseHead(model, tensors)],
    ['colbert', colbertHead(folder, tensors)],
  ];
  return new Map(found.flatMap(([task, head]) => (head === undefined ? [] : [[task, head] as const])));
}
