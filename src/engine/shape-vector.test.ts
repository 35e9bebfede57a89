import { expect, test } from 'vitest';
import { shapeVector } from './shape-vector.ts';

const vector = Float32Array.of(3, 4, 12);

test.each([
  ['the whole vector stays as it is', 3, undefined, [3, 4, 12]],
  ['a cut one is normalised again', 2, undefined, [0.6, 0.8]],
  ['a cut one is left alone where that is asked for', 2, false, [3, 4]],
  ['a whole one is normalised where that is asked for', 3, true, [3 / 13, 4 / 13, 12 / 13]],
] as const)('%s', (_name, dimensions, normalize, expected) => {
  expect(shapeVector(vector, { dimensions, normalize })).toEqual(Float32Array.from(expected));
  expect(vector).toEqual(Float32Array.of(3, 4, 12));
});

test('nothing is copied where nothing is done', () => {
  expect(shapeVector(vector, { dimensions: 3, normalize: undefined })).toBe(vector);
});

test('the zero vector stays zero', () => {
  expect(shapeVector(new Float32Array(3), { dimensions: 2, normalize: true })).toEqual(new Float32Array(2));
});

test('what has length 1 already keeps its last digits', () => {
  const unit = shapeVector(vector, { dimensions: 3, normalize: true });
  expect(shapeVector(unit, { dimensions: 3, normalize: true })).toBe(unit);
});
