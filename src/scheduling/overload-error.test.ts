import { expect, test } from 'vitest';
import { overloadError } from './overload-error.ts';

const exceeded = { unit: 'tokens', limit: 100, queued: 90, added: 20, tokensToServe: 10 } as const;

test.each([
  ['a second while nothing is known', 10, undefined, 1],
  ['a second at least', 10, 5, 1],
  ['what the surplus takes, rounded up', 12_001, 3, 5],
  ['a minute at most', 10_000_000, 3, 60],
])('the time to wait is %s', (_, tokensToServe, tokensPerMs, retryAfterS) => {
  expect(overloadError('bge', { ...exceeded, tokensToServe }, tokensPerMs)).toMatchObject({
    code: 'overloaded',
    retryAfterS,
  });
});
