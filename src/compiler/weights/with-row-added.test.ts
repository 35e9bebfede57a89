import { expect, test } from 'vitest';
import { readWhole } from './read-whole.ts';
import { withRowAdded } from './with-row-added.ts';

test('the first row of one table is added to every row of the other', () => {
  const table = { name: 'positions', dims: [3, 2], chunks: () => [Float32Array.of(0, 1, 2, 3, 4, 5)] };
  const types = { name: 'types', dims: [2, 2], chunks: () => [Float32Array.of(10, 20, 100, 200)] };
  const sum = withRowAdded(table, types);
  expect(sum).toMatchObject({ name: 'positions+types', dims: [3, 2] });
  expect([...readWhole(sum)]).toEqual([10, 21, 12, 23, 14, 25]);
});
