import { describe, expect, test } from 'vitest';
import { median, noise, percentile } from './percentile.mjs';

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  test.each([
    [0, 1],
    [0.5, 51],
    [0.95, 96],
    [0.99, 100],
    [1, 100],
  ])('the value at %s of 1..100 in any order is %s', (share, value) => {
    expect(percentile(hundred, share)).toBe(value);
  });

  test('of one sample it is that sample', () => {
    expect(percentile([7], 0.99)).toBe(7);
  });

  test('of no samples it is refused', () => {
    expect(() => percentile([], 0.5)).toThrow('no samples');
  });

  test('numbers are ordered by value, not as text', () => {
    expect(percentile([9, 10, 100], 1)).toBe(100);
  });
});

describe('median', () => {
  test.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[5], 5],
  ])('of %j is %s', (samples, value) => {
    expect(median(samples)).toBe(value);
  });
});

test('noise is the spread between rounds as a share of their median', () => {
  expect(noise([90, 100, 120])).toBeCloseTo(0.3);
  expect(noise([100])).toBe(0);
});
