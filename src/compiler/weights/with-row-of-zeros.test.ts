import { expect, test } from 'vitest';
import { computed } from './computed.ts';
import { readWhole } from './read-whole.ts';
import { withRowOfZeros } from './with-row-of-zeros.ts';

test('a row of zeros follows the last row', () => {
  const table = withRowOfZeros(computed('table', [2, 2], () => Float32Array.of(1, 2, 3, 4)));
  expect(table.dims).toEqual([3, 2]);
  expect([...readWhole(table)]).toEqual([1, 2, 3, 4, 0, 0]);
});
