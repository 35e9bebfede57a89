import { expect, test } from 'vitest';
import { checkpointFiles } from './checkpoint-files.ts';

const chosen = (names: readonly string[], modulePaths: readonly string[] = []) =>
  checkpointFiles(names, modulePaths).sort();

test.each([
  ['safetensors alone', ['model.safetensors', 'pytorch_model.bin'], ['model.safetensors']],
  [
    'shards with their index, and nothing of the other form',
    [
      'model-00001-of-00002.safetensors',
      'model-00002-of-00002.safetensors',
      'model.safetensors.index.json',
      'pytorch_model-00001-of-00001.bin',
      'pytorch_model.bin.index.json',
    ],
    ['model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors', 'model.safetensors.index.json'],
  ],
  ['one file before its shards', ['model.safetensors', 'model-00001-of-00001.safetensors'], ['model.safetensors']],
  ['torch weights where there is nothing else', ['pytorch_model.bin', 'flax_model.msgpack'], ['pytorch_model.bin']],
  ['no variant', ['model.fp16.safetensors', 'consolidated.safetensors', 'adapter_model.bin'], []],
])('weights: %s', (_name, names, expected) => {
  expect(chosen(names)).toEqual(expected);
});

test('tokenizer and configuration of every kind, and nothing else', () => {
  const needed = [
    'added_tokens.json',
    'config.json',
    'config_sentence_transformers.json',
    'merges.txt',
    'modules.json',
    'sentence_bert_config.json',
    'sentencepiece.bpe.model',
    'special_tokens_map.json',
    'spiece.model',
    'tokenizer.json',
    'tokenizer.model',
    'tokenizer_config.json',
    'vocab.json',
    'vocab.txt',
    'colbert_linear.pt',
    'sparse_linear.pt',
  ].sort();
  const others = [
    'README.md',
    '.gitattributes',
    'mteb_results.json',
    'onnx/model.onnx',
    'onnx/model.onnx_data',
    'onnx/tokenizer.json',
    'openvino/openvino_model.bin',
    'imgs/bm25.jpg',
    'long.jsonl',
    'training_args.bin',
    'tf_model.h5',
  ];
  expect(chosen([...needed, ...others])).toEqual(needed);
});

test('the folders that modules.json names have weights and configuration of their own', () => {
  const names = [
    '1_Pooling/config.json',
    '2_Dense/config.json',
    '2_Dense/model.safetensors',
    '2_Dense/pytorch_model.bin',
  ];
  expect(chosen(names, ['', '1_Pooling', '2_Dense'])).toEqual([
    '1_Pooling/config.json',
    '2_Dense/config.json',
    '2_Dense/model.safetensors',
  ]);
  expect(chosen(names)).toEqual([]);
});
