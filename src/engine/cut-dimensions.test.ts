import { expect, test } from 'vitest';
import { cutDimensions } from './cut-dimensions.ts';

test('cuts and normalises again, and leaves the row alone', () => {
  const row = Float32Array.from([3, 4, 12]);
  expect(cutDimensions(row, 2)).toEqual(Float32Array.from([0.6, 0.8]));
  expect(row).toEqual(Float32Array.from([3, 4, 12]));
});

test('all dimensions are the vector itself, normalised or not', () => {
  const row = Float32Array.from([3, 4]);
  expect(cutDimensions(row, 2)).toBe(row);
});

test('a vector of zeros stays zero', () => {
  expect(cutDimensions(Float32Array.from([0, 0, 1]), 2)).toEqual(Float32Array.from([0, 0]));
});
