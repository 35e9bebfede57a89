import { expect, test } from 'vitest';
import { readWhole } from './read-whole.ts';
import { rowsOf } from './rows-of.ts';

/** `[5, 2]` in pieces that no row ends with. */
const weight = {
  name: 'w',
  dims: [5, 2],
  chunks: () => [Float32Array.of(0, 1, 2), Float32Array.of(3), Float32Array.of(4, 5, 6, 7, 8, 9)],
};

test('rows are cut out across the pieces of the weight', () => {
  const rows = rowsOf(weight, 1, 4);
  expect(rows.dims).toEqual([3, 2]);
  expect([...readWhole(rows)]).toEqual([2, 3, 4, 5, 6, 7]);
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
