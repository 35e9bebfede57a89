import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { expect, test } from 'vitest';
import { encodeModel } from './encode-model.ts';
import type { OnnxModel } from './onnx-model.ts';

const EMPTY: OnnxModel = { name: 'g', nodes: [], initializers: [], inputs: [], outputs: [] };

/** Field number -> raw values, in order. */
function fieldsOf(bytes: Uint8Array): Map<number, (Uint8Array | bigint | number)[]> {
  const reader = new BinaryReader(bytes);
  const fields = new Map<number, (Uint8Array | bigint | number)[]>();
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    const value =
      wireType === WireType.LengthDelimited
        ? reader.bytes()
        : wireType === WireType.Bit32
          ? reader.float()
          : BigInt(reader.int64());
    fields.set(field, [...(fields.get(field) ?? []), value]);
  }
  return fields;
}

function messageAt(bytes: Uint8Array, ...path: readonly number[]) {
  let current = bytes;
  for (const field of path) {
    const [next] = fieldsOf(current).get(field) ?? [];
    if (!(next instanceof Uint8Array)) throw new Error(`no message at ${path.join('.')}`);
    current = next;
  }
  return fieldsOf(current);
}

const texts = (values: readonly (Uint8Array | bigint | number)[] | undefined) =>
  values?.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value));

test('an empty model is these bytes', () => {
  const expected = [
    [0x08, 9], // ir_version
    [0x12, 11, ...Buffer.from('infinity-ts')], // producer_name
    [0x3a, 3, 0x12, 1, ...Buffer.from('g')], // graph { name }
    [0x42, 4, 0x0a, 0, 0x10, 17], // opset_import, standard operators
    [0x42, 17, 0x0a, 13, ...Buffer.from('com.microsoft'), 0x10, 1],
  ].flat();
  expect([...encodeModel(EMPTY)]).toEqual(expected);
});

test('a node carries its inputs, outputs, domain and typed attributes', () => {
  const bytes = encodeModel({
    ...EMPTY,
    nodes: [
      {
        name: 'n',
        operator: 'Op',
        domain: 'com.microsoft',
        inputs: ['a', '', 'b'],
        outputs: ['c'],
        attributes: { whole: { int: -1 }, part: { float: 0.5 }, list: { ints: [1, 2] }, word: { text: 'x' } },
      },
    ],
  });
  const node = messageAt(bytes, 7, 1);
  expect(texts(node.get(1))).toEqual(['a', '', 'b']);
  expect(texts(node.get(2))).toEqual(['c']);
  expect(texts(node.get(4))).toEqual(['Op']);
  expect(texts(node.get(7))).toEqual(['com.microsoft']);
  const attributes = (node.get(5) ?? []).map((value) => (value instanceof Uint8Array ? fieldsOf(value) : new Map()));
  expect(
    attributes.map((fields) => [...fields].flatMap(([field, values]) => [field, ...(texts(values) ?? [])])),
  ).toEqual([
    [1, 'whole', 3, -1n, 20, 2n],
    [1, 'part', 2, 0.5, 20, 1n],
    [1, 'list', 8, 1n, 2n, 20, 7n],
    [1, 'word', 4, 'x', 20, 3n],
  ]);
});

test('a small initializer is inside, a large one is a place in a file', () => {
  const bytes = encodeModel({
    ...EMPTY,
    initializers: [
      {
        name: 'large',
        elementType: 'FLOAT',
        dims: [3, 5],
        data: { fileName: 'weights.bin', byteOffset: 4096, byteLength: 60 },
      },
    ],
  });
  const large = messageAt(bytes, 7, 5);
  expect(large.get(1)).toEqual([3n, 5n]);
  expect(large.get(14)).toEqual([1n]);
  const pairs = (large.get(13) ?? []).map((value) => (value instanceof Uint8Array ? fieldsOf(value) : new Map()));
  expect(pairs.map((pair) => [texts(pair.get(1)), texts(pair.get(2))].flat())).toEqual([
    ['location', 'weights.bin'],
    ['offset', '4096'],
    ['length', '60'],
  ]);
  const small = encodeModel({
    ...EMPTY,
    initializers: [{ name: 'small', elementType: 'INT64', dims: [1], data: Uint8Array.of(7, 0, 0, 0, 0, 0, 0, 0) }],
  });
  expect(messageAt(small, 7, 5).get(9)).toEqual([Uint8Array.of(7, 0, 0, 0, 0, 0, 0, 0)]);
  expect(messageAt(small, 7, 5).get(2)).toEqual([7n]);
});

test('an input has a type and named or fixed sizes', () => {
  const bytes = encodeModel({ ...EMPTY, inputs: [{ name: 'ids', elementType: 'INT32', dims: ['batch', 4] }] });
  const tensorType = messageAt(bytes, 7, 11, 2, 1);
  expect(tensorType.get(1)).toEqual([6n]);
  const [shape] = tensorType.get(2) ?? [];
  const dims = fieldsOf(shape instanceof Uint8Array ? shape : new Uint8Array()).get(1) ?? [];
  expect(dims.map((dim) => (dim instanceof Uint8Array ? Object.fromEntries(fieldsOf(dim)) : {}))).toEqual([
    { 2: [Uint8Array.from(Buffer.from('batch'))] },
    { 1: [4n] },
  ]);
});
