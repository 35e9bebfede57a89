import { expect, test } from 'vitest';
import { runLimitMs } from './run-limit.ts';

test.each([
  ['a short run gets the limit of all', 600, 50, 600_000],
  ['a long one gets twenty times its expected time', 600, 60_000, 1_200_000],
  ['0 sets none', 0, 60_000, undefined],
])('%s', (_, leastS, expectedMs, limitMs) => {
  expect(runLimitMs(leastS, expectedMs)).toBe(limitMs);
});
