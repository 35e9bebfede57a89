import { expect, test } from 'vitest';
import { isHopeless } from './deadline.ts';

test.each([
  ['it has passed', 99, 0, undefined, true],
  ['no speed is known', 101, 10_000, undefined, false],
  ['the work fits', 110, 50, 5, false],
  ['the work does not fit', 110, 51, 5, true],
  ['nothing waits any more', 101, 0, 5, false],
])('when %s', (_, deadlineMs, queuedTokens, bestTokensPerMs, expected) => {
  expect(isHopeless(deadlineMs, 100, queuedTokens, bestTokensPerMs)).toBe(expected);
});
