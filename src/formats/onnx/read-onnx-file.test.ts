import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/fakes/temporary-folder.ts';
import { encodeModel } from './encode-model.ts';
import { hasSignedInt8, isQuantized } from './onnx-file.ts';
import type { OnnxInitializer, OnnxModel } from './onnx-model.ts';
import { readOnnxFile } from './read-onnx-file.ts';

const INSIDE: OnnxInitializer = { name: 'inside', elementType: 'FLOAT', dims: [2, 1], data: new Uint8Array(8).fill(7) };
const BESIDE: OnnxInitializer = {
  name: 'beside',
  elementType: 'FLOAT16',
  dims: [3],
  data: { fileName: 'model.onnx_data', byteOffset: 4096, byteLength: 6 },
};

const MODEL: OnnxModel = {
  name: 'two nodes',
  nodes: [
    { name: 'a', operator: 'Gather', domain: '', inputs: ['inside', 'ids'], outputs: ['rows'], attributes: {} },
    { name: 'b', operator: 'Gelu', domain: 'com.microsoft', inputs: ['rows'], outputs: ['y'], attributes: {} },
  ],
  initializers: [INSIDE, BESIDE],
  inputs: [
    { name: 'ids', elementType: 'INT64', dims: ['batch', 'sequence'] },
    { name: 'inside', elementType: 'FLOAT', dims: [2, 1] },
  ],
  outputs: [{ name: 'y', elementType: 'FLOAT', dims: ['batch', 'sequence', 384] }],
};

function fileOf(bytes: Uint8Array): string {
  const filePath = path.join(temporaryFolder(), 'model.onnx');
  writeFileSync(filePath, bytes);
  return filePath;
}

const read = (bytes: Uint8Array) => readOnnxFile(fileOf(bytes), 'onnx/model.onnx');

test('a file says what it takes, gives and holds, and its weights stay where they are', () => {
  const bytes = encodeModel(MODEL, new Map([['ai.onnx', 11]]));
  const file = read(bytes);
  expect(file).toMatchObject({
    irVersion: 9,
    operatorSets: new Map([['', 11]]),
    inputs: [{ name: 'ids', dataType: 7, dims: ['batch', 'sequence'] }],
    outputs: [{ name: 'y', dataType: 1, dims: ['batch', 'sequence', 384] }],
    operators: new Set(['Gather', 'Gelu']),
  });
  expect(file.nodes).toHaveLength(2);
  const [inside, beside] = file.initializers;
  expect(beside).toEqual({
    name: 'beside',
    dims: [3],
    dataType: 10,
    data: { kind: 'external', place: { fileName: 'model.onnx_data', byteOffset: 4096, byteLength: 6 } },
  });
  expect(inside).toMatchObject({ name: 'inside', dims: [2, 1], dataType: 1 });
  if (inside?.data.kind !== 'here') throw new Error('expected bytes in the file');
  expect(bytes.subarray(inside.data.region.start, inside.data.region.end)).toEqual(new Uint8Array(8).fill(7));
});

test('a file cut off anywhere is refused, not read', () => {
  const bytes = encodeModel(MODEL);
  let refused = 0;
  for (let length = 0; length < bytes.length; length += 1) {
    try {
      read(bytes.subarray(0, length));
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_checkpoint', message: expect.stringContaining('onnx/model.onnx') });
      refused += 1;
    }
  }
  // What is cut off at the end is a whole field: a list of operator sets.
  expect(refused).toBeGreaterThan(bytes.length - 40);
});

test.each<[string, Uint8Array]>([
  ['a text', Buffer.from('version https://git-lfs.github.com/spec/v1\noid sha256:1234')],
  ['nothing', new Uint8Array()],
  ['zeros', new Uint8Array(100)],
  ['a length beyond the file', Uint8Array.of(0x3a, 0xff, 0xff, 0xff, 0xff, 0x07)],
])('%s is no ONNX model', (_, bytes) => {
  expect(() => read(bytes)).toThrow(expect.objectContaining({ code: 'invalid_checkpoint' }));
});

test.each(['../secret', '/etc/passwd', 'a/../../b', 'C:\\x', 'a\\b', ''])('weights at %j are refused', (fileName) => {
  const data = { fileName, byteOffset: 0, byteLength: 4 };
  const bytes = encodeModel({ ...MODEL, initializers: [{ ...BESIDE, data }] });
  expect(() => read(bytes)).toThrow("a weight 'beside' outside the model's folder");
});

test('quantised graphs are told apart by their operators', () => {
  const withOperator = (operator: string) =>
    read(encodeModel({ ...MODEL, nodes: MODEL.nodes.map((node) => ({ ...node, operator })) }));
  for (const operator of [
    'MatMulInteger',
    'DynamicQuantizeLinear',
    'QLinearMatMul',
    'DequantizeLinear',
    'MatMulNBits',
  ]) {
    expect(isQuantized(withOperator(operator))).toBe(true);
  }
  for (const operator of ['MatMul', 'Gather', 'QuickGelu']) expect(isQuantized(withOperator(operator))).toBe(false);
  const file = read(encodeModel(MODEL));
  expect(hasSignedInt8(file)).toBe(false);
  const data = { kind: 'here', region: { start: 0, end: 4 } } as const;
  const withWeight = (dataType: number, dims: readonly number[]) =>
    hasSignedInt8({ ...file, initializers: [{ name: 'w', dataType, dims, data }] });
  expect([withWeight(3, [2, 2]), withWeight(3, [4]), withWeight(2, [2, 2])]).toEqual([true, false, false]);
});
