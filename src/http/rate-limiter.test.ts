import { expect, test } from 'vitest';
import { type ApiKey, keyDigest, type RateLimits } from '../contracts/api-key.ts';
import type { EmbedRequest, RequestContext } from '../contracts/engine.ts';
import { RateLimiter } from './rate-limiter.ts';
import { denseResult, fakeEngine } from './testing/fake-engine.ts';
import { createTestServer } from './testing/test-server.ts';

function keyOf(name: string, limits?: RateLimits): ApiKey {
  return { name, digest: keyDigest(name), ...(limits === undefined ? {} : { limits }) };
}

function limiterAt(defaults: RateLimits) {
  const clock = { nowMs: 0 };
  const limiter = new RateLimiter(defaults, () => clock.nowMs);
  /** How many requests pass before one does not, and why it does not. */
  function burst(key: ApiKey | undefined): readonly [passed: number, refusal: unknown] {
    for (let passed = 0; passed < 100; passed += 1) {
      try {
        limiter.admit(key);
      } catch (error) {
        return [passed, error];
      }
    }
    return [100, undefined];
  }
  return { clock, limiter, burst };
}

test('a key has the requests of a minute, then those that come back', () => {
  const { clock, burst } = limiterAt({ requestsPerMinute: 6 });
  const [passed, refusal] = burst(keyOf('a'));
  expect(passed).toBe(6);
  expect(refusal).toMatchObject({
    code: 'rate_limited',
    message: "API key 'a': expected at most 6 requests per minute, got more; wait 10 s",
    retryAfterS: 10,
  });
  clock.nowMs = 20_000;
  expect(burst(keyOf('a'))[0]).toBe(2);
});

test('keys do not take from each other, and each may have limits of its own', () => {
  const { burst } = limiterAt({ requestsPerMinute: 2 });
  expect(burst(keyOf('a'))[0]).toBe(2);
  expect(burst(keyOf('b'))[0]).toBe(2);
  expect(burst(keyOf('c', { requestsPerMinute: 5 }))[0]).toBe(5);
  expect(burst(keyOf('d', { requestsPerMinute: 0 }))[0]).toBe(100);
});

test('without keys all clients count as one', () => {
  const { burst } = limiterAt({ requestsPerMinute: 3 });
  expect(burst(undefined)).toEqual([3, expect.objectContaining({ message: expect.stringMatching(/^This server: /) })]);
});

test('tokens that a request took beyond what was left are owed', () => {
  const { clock, limiter, burst } = limiterAt({ tokensPerMinute: 100 });
  const key = keyOf('a');
  limiter.admit(key);
  limiter.spend(key, 250);
  expect(burst(key)).toEqual([
    0,
    expect.objectContaining({
      message: "API key 'a': expected at most 100 tokens per minute, got more; wait 91 s",
      retryAfterS: 91,
    }),
  ]);
  clock.nowMs = 91_000;
  expect(burst(key)[0]).toBe(100);
});

test('a request that is refused costs nothing', () => {
  const { clock, burst } = limiterAt({ requestsPerMinute: 60 });
  burst(keyOf('a'));
  for (let index = 0; index < 10; index += 1) burst(keyOf('a'));
  clock.nowMs = 1000;
  expect(burst(keyOf('a'))[0]).toBe(1);
});

test('what is kept does not grow with the names', () => {
  const { burst } = limiterAt({ requestsPerMinute: 1 });
  for (let index = 0; index < 2001; index += 1) burst(keyOf(`name-${index}`));
  expect(burst(keyOf('name-2000'))[0]).toBe(0);
  expect(burst(keyOf('name-0'))[0]).toBe(1);
});

test('the server answers 429 with the time to wait, and counts the tokens of what it has answered', async () => {
  const embed = async (_: EmbedRequest, { work }: RequestContext) => {
    if (work !== undefined) work.tokens = 1000;
    return denseResult([Float32Array.of(1)]);
  };
  const { post } = await createTestServer({
    engine: fakeEngine({ embed }),
    apiKeys: () => [keyOf('a', { tokensPerMinute: 60 })],
  });
  const ask = () => post('/v1/embeddings', { input: 'x' }, { authorization: 'Bearer a' });
  expect((await ask()).statusCode).toBe(200);
  const refused = await ask();
  expect(refused.statusCode).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(900);
  expect(refused.json().error).toMatchObject({
    type: 'rate_limit_error',
    code: 'rate_limited',
    message: expect.stringContaining("API key 'a': expected at most 60 tokens per minute"),
  });
});
