import { expect, test } from 'vitest';
import type { StoredWeight } from '../graph/graph.ts';
import { readWhole } from '../weights/read-whole.ts';
import { quantizeMatrix } from './quantize-matrix.ts';

const matrix = (values: readonly number[]) => ({
  name: 'w',
  dims: [values.length / 2, 2],
  chunks: () => [Float32Array.from(values)],
});

const wholeNumbers = (values: StoredWeight) =>
  [...values.bytePieces()].flatMap((piece) => [...new Int8Array(piece.slice().buffer)]);

test('each column has a step of its own, and its largest number is the last level', () => {
  const { values, steps } = quantizeMatrix(matrix([1, 0.5, -2, 0.25]), 127);
  expect([...wholeNumbers(values)]).toEqual([64, 127, -127, 64]);
  expect([...readWhole(steps)]).toEqual([Math.fround(2 / 127), Math.fround(0.5 / 127)]);
});

test('steps are the same whichever is asked for first', () => {
  expect([...readWhole(quantizeMatrix(matrix([3, 1, 6, 2]), 63).steps)]).toEqual([
    Math.fround(6 / 63),
    Math.fround(2 / 63),
  ]);
});

test('a column of zeros stays zero', () => {
  const { values, steps } = quantizeMatrix(matrix([0, 1, 0, 1]), 127);
  expect([...wholeNumbers(values)]).toEqual([0, 127, 0, 127]);
  expect(readWhole(steps).every((step) => step > 0)).toBe(true);
});
