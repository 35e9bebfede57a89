import { expect, test } from 'vitest';
import { relativeRow, relativeRowCount } from './relative-log-buckets.ts';

// make_log_bucket_position of the reference, with the number of buckets added and held within the table.
test.each([
  [0, 256],
  [1, 257],
  [-1, 255],
  [128, 384],
  [129, 385],
  [-129, 127],
  [130, 386],
  [200, 425],
  [-300, 49],
  [511, 511],
  [-511, 1],
  [512, 511],
  [-600, 0],
])('DeBERTa v3: %i positions away is row %i', (relative, row) => {
  expect(relativeRow(relative, { buckets: 256, maxRelative: 512 })).toBe(row);
});

test.each([
  [2, 12],
  [-10, 0],
  [-11, 0],
  [9, 19],
  [10, 19],
])('without buckets each position has a row up to the limit: %i away is row %i', (relative, row) => {
  expect(relativeRow(relative, { buckets: 0, maxRelative: 10 })).toBe(row);
});

test('the table has two rows for each bucket, or for each position', () => {
  expect(relativeRowCount({ buckets: 256, maxRelative: 512 })).toBe(512);
  expect(relativeRowCount({ buckets: 0, maxRelative: 10 })).toBe(20);
});
