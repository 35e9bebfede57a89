import { describe, expect, test } from 'vitest';
import { fakeModelFolder } from '../../test/fakes/model-folder.ts';
import type { Task } from '../contracts/compiled-model.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import { bert } from './architectures/bert.ts';
import { qwen3 } from './architectures/qwen3.ts';
import { detectHeads } from './detect-heads.ts';

const module = (type: string) => ({ type, path: '', config: undefined });
const [transformer, pooling, dense] = [module('Transformer'), module('Pooling'), module('Dense')];
const BERT_CLASSIFIER = { 'classifier.weight': [1, 768] };
const THREE_LABELS = { 'classifier.weight': [3, 768] };
const MASKED_LM = { 'cls.predictions.transform.dense.weight': [768, 768] };
const BGE_M3 = { 'sparse_linear.weight': [1, 768], 'colbert_linear.weight': [768, 768] };
const causal = { config: { architectures: ['Qwen3ForCausalLM'], model_type: 'qwen3' } };

type Shapes = Readonly<Record<string, readonly number[]>>;

function detect(task: Task, folder: Partial<ModelFolder>, shapes: Shapes, family = bert) {
  const tensors = new Map(Object.entries(shapes).map(([name, dims]) => [name, { dims }]));
  return detectHeads(fakeModelFolder(folder), family.configure({}), tensors, task);
}

describe('--task gives a model the head of that task where its files have the weights', () => {
  test.each<[Task, string, Partial<ModelFolder>, Shapes, string]>([
    ['embed', 'a reranker', { config: { architectures: ['BertForSequenceClassification'] } }, {}, 'pooledEmbedding'],
    ['embed', 'an embedder', { modules: [transformer, pooling] }, {}, 'pooledEmbedding'],
    ['rerank', 'a bare name', { config: { architectures: ['BertModel'] } }, BERT_CLASSIFIER, 'sequenceClassification'],
    ['rerank', 'a lone Transformer', { modules: [transformer] }, BERT_CLASSIFIER, 'sequenceClassification'],
    ['classify', 'one label', {}, BERT_CLASSIFIER, 'sequenceClassification'],
    ['classify', 'three labels', {}, THREE_LABELS, 'sequenceClassification'],
    ['sparse', 'a masked language model with a Pooling', { modules: [transformer, pooling] }, MASKED_LM, 'splade'],
    ['sparse', 'BGE-M3', { modules: [transformer, pooling] }, BGE_M3, 'bgeM3Sparse'],
    ['colbert', 'BGE-M3', { modules: [transformer, pooling] }, BGE_M3, 'bgeM3Colbert'],
    ['colbert', 'PyLate', { modules: [transformer, dense] }, {}, 'colbert'],
    ['colbert', 'the original layout', {}, { 'linear.weight': [128, 768] }, 'colbert'],
  ])('%s of %s', (task, _what, folder, shapes, head) => {
    expect(detect(task, folder, shapes)).toEqual([head]);
  });

  test('rerank of a language model known to be a reranker', () => {
    expect(detect('rerank', causal, {}, qwen3)).toEqual(['generativeRerank']);
  });
});

describe('--task for which the files have no weights is refused with what they can do', () => {
  test.each<[Task, string, Partial<ModelFolder>, Shapes, string]>([
    ['rerank', 'an embedder', { modules: [transformer, pooling] }, {}, 'embed'],
    ['rerank', 'three labels', {}, THREE_LABELS, 'embed, classify'],
    ['classify', 'a Pooling', { modules: [transformer, pooling] }, BERT_CLASSIFIER, 'embed'],
    ['sparse', 'a reranker', {}, BERT_CLASSIFIER, 'embed, rerank, classify'],
    ['embed', 'a lone Transformer', { modules: [transformer] }, BERT_CLASSIFIER, 'rerank, classify'],
    [
      'colbert',
      'one layer of BGE-M3',
      { modules: [transformer, pooling] },
      { 'sparse_linear.weight': [1, 8] },
      'embed',
    ],
    ['rerank', 'modules that fit nothing', { modules: [module('Asym')] }, {}, 'nothing'],
  ])('%s of %s', (task, _what, folder, shapes, possible) => {
    expect(() => detect(task, folder, shapes)).toThrow(
      expect.objectContaining({
        code: 'unsupported_architecture',
        message: `model 'org/model': --task asks for ${task}, but its files can only do ${possible}`,
      }),
    );
  });
});
