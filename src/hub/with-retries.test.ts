import { expect, test } from 'vitest';
import { parseRetryAfter, retryWaitMs, TemporaryFailure, withRetries } from './with-retries.ts';

test.each([
  [1, undefined, 0, 250],
  [1, undefined, 1, 500],
  [4, undefined, 1, 4000],
  [20, undefined, 1, 20_000],
  [1, 3000, 0.5, 3000],
  [1, 3_600_000, 0.5, 60_000],
])('after %i failures and retry-after %s the wait is bounded', (failures, retryAfterMs, random, expected) => {
  expect(retryWaitMs(failures, retryAfterMs, random)).toBe(expected);
});

test.each([
  [undefined, undefined],
  ['7', 7000],
  ['Tue, 01 Dec 2026 00:00:10 GMT', 10_000],
  ['Tue, 01 Dec 2026 00:00:00 GMT', 0],
  ['soon', undefined],
])('retry-after %j is %s ms', (header, expected) => {
  expect(parseRetryAfter(header, Date.parse('2026-12-01T00:00:00Z'))).toBe(expected);
});

const options = (attempts: number) => ({
  attempts,
  signal: new AbortController().signal,
  sleep: async () => undefined,
});

test('a gain starts the count anew, a failure for good ends it at once', async () => {
  const failure = new Error('cut');
  const gains = [true, false, true, false, false];
  let calls = 0;
  const attempt = async () => {
    calls += 1;
    throw new TemporaryFailure(failure, { progressed: gains[calls - 1] ?? false });
  };
  await expect(withRetries(attempt, options(3))).rejects.toBe(failure);
  expect(calls).toBe(5);

  const final = new Error('no such file');
  await expect(withRetries(() => Promise.reject(final), options(3))).rejects.toBe(final);
});
