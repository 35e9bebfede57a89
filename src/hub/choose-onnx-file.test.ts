import { describe, expect, test } from 'vitest';
import { fakeModelFolder } from '../../test/fakes/model-folder.ts';
import { chooseOnnxFile, type OnnxFileWish } from './choose-onnx-file.ts';

const choose = (files: readonly string[], wish: Partial<OnnxFileWish> = {}) =>
  chooseOnnxFile(fakeModelFolder({ files: ['config.json', 'model.safetensors', ...files] }), {
    named: undefined,
    precision: 'float32',
    cpuAbilities: [],
    ...wish,
  });

/** As sentence-transformers' own exporter and transformers.js name theirs. */
const MANY = [
  'onnx/model.onnx',
  'onnx/model.onnx_data',
  'onnx/model_O4.onnx',
  'onnx/model_bf16.onnx',
  'onnx/model_fp16.onnx',
  'onnx/model_int8.onnx',
  'onnx/model_q4.onnx',
  'onnx/model_qint8_arm64.onnx',
  'onnx/model_qint8_avx512_vnni.onnx',
  'onnx/model_quantized.onnx',
  'onnx/model_quint8_avx2.onnx',
  'onnx/model_uint8.onnx',
];

describe('a quantised file is never chosen unasked (reported fault 25)', () => {
  test.each([
    [['onnx/model.onnx', 'onnx/model_quantized.onnx'], 'onnx/model.onnx'],
    [['model.onnx', 'onnx/model.onnx'], 'onnx/model.onnx'],
    [['onnx/model_quantized.onnx', 'model.onnx'], 'model.onnx'],
    [['bge-small.onnx'], 'bge-small.onnx'],
    [MANY, 'onnx/model.onnx'],
  ])('of %j, %s', (files, expected) => {
    expect(choose(files)).toBe(expected);
  });

  test('and where there is no other, the message says how to ask for it', () => {
    const files = ['onnx/model_quantized.onnx', 'onnx/model_quint8_avx2.onnx'];
    expect(() => choose(files)).toThrow(
      "model 'org/model' has no ONNX file that is known to be float32; it has onnx/model_quantized.onnx, " +
        'onnx/model_quint8_avx2.onnx: name one of them with --onnx-file',
    );
    expect(() => choose(['model_int8.onnx'])).toThrow('it has model_int8.onnx: name one of them with --onnx-file');
  });
});

test('a repository without an ONNX file gets a message with the way out (reported fault 71)', () => {
  expect(() => choose([])).toThrow(
    expect.objectContaining({
      code: 'invalid_model_folder',
      message: "model 'org/model' has no ONNX file; --engine torch compiles its checkpoint, and needs none",
    }),
  );
});

test.each<[OnnxFileWish['precision'], readonly string[], string]>([
  ['float16', [], 'onnx/model_fp16.onnx'],
  ['bfloat16', [], 'onnx/model_bf16.onnx'],
  ['int8', ['avx2', 'avx512f', 'avx512_vnni'], 'onnx/model_qint8_avx512_vnni.onnx'],
  ['int8', ['avx2'], 'onnx/model_quint8_avx2.onnx'],
  ['int8', ['asimddp'], 'onnx/model_qint8_arm64.onnx'],
])('%s on a CPU with %j is %s', (precision, cpuAbilities, expected) => {
  expect(choose(MANY, { precision, cpuAbilities })).toBe(expected);
});

test('int8 takes what there is, and half precision is not guessed', () => {
  expect(choose(['onnx/model.onnx', 'onnx/model_quantized.onnx'], { precision: 'int8' })).toBe(
    'onnx/model_quantized.onnx',
  );
  expect(() => choose(['onnx/model.onnx'], { precision: 'int8' })).toThrow('known to be int8; it has onnx/model.onnx');
  expect(() => choose(['onnx/model.onnx'], { precision: 'float16' })).toThrow('known to be float16');
});

describe('a name', () => {
  test.each(['onnx/model_int8.onnx', './onnx/model_int8.onnx', 'model_int8.onnx'])('%s is found', (named) => {
    expect(choose(MANY, { named })).toBe('onnx/model_int8.onnx');
  });

  test('that no file or more than one has is refused with those there are', () => {
    expect(() => choose(MANY, { named: 'other.onnx' })).toThrow(
      "of the name 'other.onnx', the folder has onnx/model.onnx,",
    );
    expect(() => choose(['a/model.onnx', 'b/model.onnx'], { named: 'model.onnx' })).toThrow(
      expect.objectContaining({
        code: 'invalid_settings',
        message: expect.stringContaining('there are a/model.onnx, b/'),
      }),
    );
  });
});
