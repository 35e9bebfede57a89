import { expect, test } from 'vitest';
import { fakeModelFolder } from '../../test/fakes/model-folder.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import { bert } from './architectures/bert.ts';
import { llama } from './architectures/llama.ts';
import { t5 } from './architectures/t5.ts';
import { detectHeads } from './detect-heads.ts';

const module = (type: string) => ({ type, path: '', config: undefined });
const [transformer, pooling, dense] = [module('Transformer'), module('Pooling'), module('Dense')];
const withClass = (name: string) => ({ config: { architectures: [name] } });
const MASKED_LM = ['cls.predictions.transform.dense.weight'];
const CLASSIFIER = ['classifier.weight'];
const BGE_M3 = ['sparse_linear.weight', 'colbert_linear.weight'];

const detect = (folder: Partial<ModelFolder>, names: readonly string[] = [], family = bert) =>
  detectHeads(fakeModelFolder(folder), family.configure({}), new Map(names.map((name) => [name, { dims: [1, 768] }])));

test.each<[string, Partial<ModelFolder>, readonly string[], readonly string[]]>([
  ['a bare body', withClass('BertModel'), [], ['pooledEmbedding']],
  ['no class', {}, [], ['pooledEmbedding']],
  ['a pretrained body', withClass('BertForPreTraining'), MASKED_LM, ['pooledEmbedding']],
  [
    'any class with modules',
    { ...withClass('BertForTokenClassification'), modules: [transformer, pooling] },
    [],
    ['pooledEmbedding'],
  ],
  ['a masked language model alone', withClass('BertForMaskedLM'), MASKED_LM, ['pooledEmbedding', 'splade']],
  ['one without its output layer', withClass('BertForMaskedLM'), [], ['pooledEmbedding']],
  [
    'one with modules',
    { ...withClass('BertForMaskedLM'), modules: [transformer, pooling] },
    MASKED_LM,
    ['pooledEmbedding'],
  ],
  [
    'SpladePooling',
    { ...withClass('BertForMaskedLM'), modules: [module('MLMTransformer'), module('SpladePooling')] },
    [],
    ['splade'],
  ],
  ['StaticEmbedding', { modules: [module('StaticEmbedding'), module('Normalize')] }, [], ['pooledEmbedding']],
  ['a Dense without a Pooling', { ...withClass('BertModel'), modules: [transformer, dense] }, [], ['colbert']],
  ['a Dense after a Pooling', { modules: [transformer, pooling, dense] }, [], ['pooledEmbedding']],
  ['HF_ColBERT', withClass('HF_ColBERT'), [], ['colbert']],
  ['artifact.metadata', { ...withClass('BertModel'), files: ['artifact.metadata'] }, [], ['colbert']],
  [
    'both layers of BGE-M3',
    { modules: [transformer, pooling] },
    BGE_M3,
    ['pooledEmbedding', 'bgeM3Sparse', 'bgeM3Colbert'],
  ],
  ['one layer of BGE-M3', { modules: [transformer, pooling] }, BGE_M3.slice(1), ['pooledEmbedding']],
  ['a sequence classification', withClass('BertForSequenceClassification'), [], ['sequenceClassification']],
  [
    'an unusual class with a classification layer',
    withClass('JinaBertReranker'),
    CLASSIFIER,
    ['sequenceClassification'],
  ],
  ['a bare body with a classification layer', withClass('BertModel'), CLASSIFIER, ['sequenceClassification']],
  ['a body with a Pooling and that layer', { modules: [transformer, pooling] }, CLASSIFIER, ['pooledEmbedding']],
  [
    'an unusual class, that layer and a Transformer alone (a CrossEncoder since version 5)',
    { ...withClass('JinaBertReranker'), modules: [transformer] },
    CLASSIFIER,
    ['sequenceClassification'],
  ],
  ['a masked language model with that layer', withClass('BertForMaskedLM'), CLASSIFIER, ['pooledEmbedding']],
  [
    'one with modules of its own',
    { ...withClass('BertForSequenceClassification'), modules: [transformer] },
    [],
    ['sequenceClassification'],
  ],
])('%s', (_what, folder, names, heads) => {
  expect(detect(folder, names)).toEqual(heads);
});

test('a masked language model of a family without the head makes embeddings', () => {
  expect(detect(withClass('T5ForMaskedLM'), MASKED_LM, t5)).toEqual(['pooledEmbedding']);
});

test('any other class alone is refused with the list of those known', () => {
  expect(() => detect(withClass('BertForTokenClassification'))).toThrow(
    expect.objectContaining({
      code: 'unsupported_architecture',
      message: expect.stringContaining('architectures names BertForTokenClassification, expected one of …Model'),
    }),
  );
});

test('a language model that is not known to rerank is refused at start, with a hint, and not served as something else', () => {
  expect(() => detect({ config: { architectures: ['LlamaForCausalLM'], model_type: 'llama' } }, [], llama)).toThrow(
    /architectures names LlamaForCausalLM, expected one of .*; its files could do embed, which --task asks for$/,
  );
});

test('an unknown class is told what --task could make of it', () => {
  expect(() => detect(withClass('BertForTokenClassification'))).toThrow(
    /its files could do embed, which --task asks for$/,
  );
});
