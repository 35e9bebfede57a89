import { expect, test } from 'vitest';
import { retryDelayMs } from './retry-delay.ts';

test('pauses double from ten seconds and end at five minutes', () => {
  expect([1, 2, 3, 5, 6, 1000].map(retryDelayMs)).toEqual([10_000, 20_000, 40_000, 160_000, 300_000, 300_000]);
});
