import { expect, test } from 'vitest';
import { readWhole } from './read-whole.ts';
import { rowsOf } from './rows-of.ts';

/** 0 to 11, in pieces that no row ends with. */
const weight = {
  name: 'w',
  dims: [6, 2],
  chunks: () => [
    Float32Array.of(0, 1, 2),
    Float32Array.of(3),
    Float32Array.of(4, 5, 6, 7, 8, 9, 10),
    Float32Array.of(11),
  ],
};

test.each([
  [0, 2, [0, 1, 2, 3]],
  [1, 4, [2, 3, 4, 5, 6, 7]],
  [4, 6, [8, 9, 10, 11]],
  [0, 6, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
])('rows %d to %d are cut out across the pieces of the weight', (first, end, numbers) => {
  const rows = rowsOf(weight, first, end);
  expect(rows.dims).toEqual([end - first, 2]);
  expect([...readWhole(rows)]).toEqual(numbers);
});

test('numbers of a bias are its rows', () => {
  const bias = { name: 'b', dims: [4], chunks: () => [Float32Array.of(1, 2, 3, 4)] };
  const rows = rowsOf(bias, 2, 4);
  expect(rows.dims).toEqual([2]);
  expect([...readWhole(rows)]).toEqual([3, 4]);
});

test('parts of one weight have names of their own', () => {
  expect(rowsOf(weight, 0, 1).name).not.toBe(rowsOf(weight, 1, 2).name);
});
