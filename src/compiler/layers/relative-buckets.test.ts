import { expect, test } from 'vitest';
import { relativeBucket } from './relative-buckets.ts';

const T5 = { buckets: 32, maxDistance: 128 };
const bucketsOf = (relatives: readonly number[], options = T5) =>
  relatives.map((each) => relativeBucket(each, options));

test('near keys have a bucket each, those behind the query in the second half', () => {
  expect(bucketsOf([0, -1, -7, 1, 7])).toEqual([0, 1, 7, 17, 23]);
});

// From _relative_position_bucket of transformers 5.24.
test('far keys share buckets in steps of equal ratio', () => {
  expect(bucketsOf([-8, -11, -12, -15, -16, -22, -23, -31, -32, -63, -64])).toEqual([
    8, 8, 9, 9, 10, 10, 11, 11, 12, 13, 14,
  ]);
});

test('from the greatest distance on there is one bucket', () => {
  expect(bucketsOf([-90, -91, -127, -128, -5000, 128, 5000])).toEqual([14, 15, 15, 15, 15, 31, 31]);
  expect(bucketsOf([-16, -20, -21, 20], { buckets: 16, maxDistance: 20 })).toEqual([7, 7, 7, 15]);
});
