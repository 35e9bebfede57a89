import { expect, test } from 'vitest';
import { readWhole } from './read-whole.ts';
import { rows } from './rows.ts';

/** 0 to 11, in chunks that cut through rows. */
const table = {
  name: 'table',
  dims: [6, 2],
  chunks: () => [Float32Array.of(0, 1, 2), Float32Array.of(3, 4, 5, 6, 7), Float32Array.of(8, 9, 10, 11)],
};

test.each([
  [0, 2, [0, 1, 2, 3]],
  [1, 4, [2, 3, 4, 5, 6, 7]],
  [4, 6, [8, 9, 10, 11]],
  [0, 6, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
])('rows %d to %d', (from, to, numbers) => {
  const cut = rows(table, from, to);
  expect(cut.dims).toEqual([to - from, 2]);
  expect([...readWhole(cut)]).toEqual(numbers);
});

test('a cut of a vector is a vector', () => {
  const vector = { name: 'vector', dims: [12], chunks: table.chunks };
  expect([...readWhole(rows(vector, 2, 5))]).toEqual([2, 3, 4]);
});

test('other rows have another name', () => {
  expect(rows(table, 0, 2).name).not.toBe(rows(table, 2, 4).name);
});
