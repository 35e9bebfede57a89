import { expect, test } from 'vitest';
import { computed } from './computed.ts';
import { readWhole } from './read-whole.ts';
import { rowsScaled } from './rows-scaled.ts';

test('each row is multiplied by its own number, wherever a chunk begins', () => {
  const table = {
    name: 'table',
    dims: [3, 2],
    chunks: () => [Float32Array.of(1, 2, 3), Float32Array.of(4, 5, 6)],
  };
  const scaled = rowsScaled(
    table,
    computed('factors', [3], () => Float32Array.of(1, 10, 100)),
  );
  expect(scaled.name).toBe('table*computed:factors');
  expect([...readWhole(scaled)]).toEqual([1, 2, 30, 40, 500, 600]);
  expect([...readWhole(table)]).toEqual([1, 2, 3, 4, 5, 6]);
});
