import { expect, test } from 'vitest';
import { timeLimitMs } from './time-limit.ts';

test.each([
  ['none anywhere', undefined, 0, undefined],
  ["the server's", undefined, 30, 30_000],
  ["the client's", '1.5', 0, 1_500],
  ['the shorter one', '60', 30, 30_000],
  ['the shorter one, the other way round', '5', 30, 5_000],
  ['at least a millisecond', '0.0001', 0, 1],
  ['what a timer can count', '99999999999', 0, 2 ** 31 - 1],
])('%s', (_, header, serverLimitS, expected) => {
  expect(timeLimitMs(header, serverLimitS)).toBe(expected);
});

test.each(['', '0', '-1', 'soon', '1s', '1e3', 'Infinity'])("'%s' is refused", (header) => {
  expect(() => timeLimitMs(header, 0)).toThrow(
    expect.objectContaining({ code: 'invalid_request', param: 'x-request-timeout' }),
  );
});
