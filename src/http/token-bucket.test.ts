import { expect, test } from 'vitest';
import { draw, fullBucket, refill, waitMs } from './token-bucket.ts';

test('a minute of allowance can be drawn at once, and comes back evenly', () => {
  const empty = draw(fullBucket(60, 1000), 60);
  expect(empty).toEqual({ level: 0, atMs: 1000 });
  expect(waitMs(empty, 1, 60)).toBe(1000);
  expect(refill(empty, 60, 2500)).toEqual({ level: 1.5, atMs: 2500 });
  expect(waitMs(refill(empty, 60, 2500), 1, 60)).toBe(0);
});

test.each([
  ['it never holds more than that of a minute', { level: 59, atMs: 0 }, 1e9, 60],
  ['what is owed is paid first', { level: -60, atMs: 0 }, 60_000, 0],
  ['a clock that goes back changes nothing', { level: 5, atMs: 1000 }, 0, 5],
])('%s', (_, bucket, nowMs, level) => {
  expect(refill(bucket, 60, nowMs).level).toBe(level);
});
