import { expect, test } from 'vitest';
import { onnxFiles } from './onnx-files.ts';

const REPOSITORY = [
  'config.json',
  'tokenizer.json',
  'model.safetensors',
  'onnx/model.onnx',
  'onnx/model.onnx_data',
  'onnx/model.onnx_data_1',
  'onnx/model_fp16.onnx',
  'onnx/model_fp16.onnx.data',
  'onnx/model_quantized.onnx',
  'onnx/config.json',
];

test.each([
  ['float32', undefined, ['onnx/model.onnx', 'onnx/model.onnx_data', 'onnx/model.onnx_data_1']],
  ['float16', undefined, ['onnx/model_fp16.onnx', 'onnx/model_fp16.onnx.data']],
  ['float32', 'model_quantized.onnx', ['onnx/model_quantized.onnx']],
] as const)(
  'of all variants only the one of %s, named %s, with its weights of both namings',
  (precision, named, graph) => {
    expect(onnxFiles('org/model', REPOSITORY, [], { named, precision, cpuAbilities: [] })).toEqual([
      'config.json',
      'tokenizer.json',
      ...graph,
    ]);
  },
);

test('a repository without an ONNX file says what to do', () => {
  const wish = { named: undefined, precision: 'float32', cpuAbilities: [] } as const;
  expect(() => onnxFiles('org/model', ['config.json'], [], wish)).toThrow(/has no ONNX file; --engine torch compiles/);
});
