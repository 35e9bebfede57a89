import { expect, test } from 'vitest';
import { mapped } from './mapped.ts';
import { readWhole } from './read-whole.ts';
import { rowDifference } from './row-difference.ts';

/** `[3, 2]` in pieces that no row ends with. */
const matrix = { name: 'm', dims: [3, 2], chunks: () => [Float32Array.of(1, 2, 4), Float32Array.of(8, 16, 32)] };

test('one row less another is a column', () => {
  const difference = rowDifference(matrix, 2, 0);
  expect(difference.dims).toEqual([2, 1]);
  expect([...readWhole(difference)]).toEqual([15, 30]);
});

test('without another row it is the row itself', () => {
  expect([...readWhole(rowDifference(matrix, 1, undefined))]).toEqual([4, 8]);
});

test('differences of other rows have names of their own', () => {
  expect(rowDifference(matrix, 2, 0).name).not.toBe(rowDifference(matrix, 0, 2).name);
});

test('a change is made to every number, piece by piece', () => {
  const changed = mapped(matrix, 'plus one', (value) => value + 1);
  expect(changed).toMatchObject({ name: 'm:plus one', dims: [3, 2] });
  expect([...readWhole(changed)]).toEqual([2, 3, 5, 9, 17, 33]);
});
