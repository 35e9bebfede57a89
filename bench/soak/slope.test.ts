import { expect, test } from 'vitest';
import { slope } from './slope.mjs';

const points = (values: readonly number[]) => values.map((value, index) => ({ at: index * 2, value }));

test.each([
  [[5, 5, 5, 5], 0],
  [[1, 2, 3, 4], 0.5],
  [[10, 12, 8, 10], -0.2],
])('through %j it is %d', (values, expected) => {
  expect(slope(points(values))).toBeCloseTo(expected, 10);
});
