import { expect, test } from 'vitest';
import { embeddingRanges } from './embedding-ranges.ts';
import { quantizeVector } from './quantize-vector.ts';

const none = embeddingRanges([]);
const sixteen = Float32Array.of(-3, -7, 6, 2, -2, -6, 7, 3, -1, -5, 8, 4, 0, -4, -8, 5);

test('ubinary packs the signs, the first dimension highest; binary is 128 less', () => {
  expect([...quantizeVector(sixteen, 'ubinary', none)]).toEqual([51, 49]);
  expect(quantizeVector(sixteen, 'binary', none)).toEqual(Int8Array.of(-77, -79));
});

test('the last byte is filled with zeros', () => {
  expect([...quantizeVector(Float32Array.of(1, 1, 1), 'ubinary', none)]).toEqual([0b1110_0000]);
});

test('float32 is the vector itself', () => {
  expect(quantizeVector(sixteen, 'float32', none)).toBe(sixteen);
});

const ranges = embeddingRanges([Float32Array.of(0, -1, 2), Float32Array.of(255, 1, 2)]);

test('the ranges are the least and the largest of each dimension', () => {
  expect(ranges).toEqual({ low: Float32Array.of(0, -1, 2), high: Float32Array.of(255, 1, 2) });
});

test.each([
  ['uint8', [0, -1, 2], [0, 0, 128]],
  ['uint8', [254.9, 1, 2], [254, 255, 128]],
  ['int8', [0, -1, 2], [-128, -128, 0]],
  ['int8', [255, 1, 2], [127, 127, 0]],
  // 100.7 - 128 = -27.3, truncated towards zero.
  ['int8', [100.7, 0, 2], [-27, 0, 0]],
] as const)('%s of %j is %j', (dtype, vector, expected) => {
  expect([...quantizeVector(Float32Array.from(vector), dtype, ranges)]).toEqual(expected);
});

test('numbers outside the range are clipped, not wrapped around', () => {
  const outside = Float32Array.of(1000, -50, 9);
  expect([...quantizeVector(outside, 'uint8', ranges)]).toEqual([255, 0, 128]);
  expect([...quantizeVector(outside, 'int8', ranges)]).toEqual([127, -128, 0]);
});
