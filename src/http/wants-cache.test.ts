import { expect, test } from 'vitest';
import type { RequestContext } from '../contracts/engine.ts';
import { fakeEngine } from './testing/fake-engine.ts';
import { createTestServer } from './testing/test-server.ts';
import { wantsCache } from './wants-cache.ts';

test.each([
  [undefined, undefined, true],
  [undefined, {}, true],
  [undefined, { cache: true }, true],
  [undefined, { cache: null }, true],
  [undefined, { cache: false }, false],
  ['max-age=0', {}, true],
  ['no-cache', {}, false],
  ['max-age=0, No-Store', { cache: true }, false],
])('cache-control %j and body %j: %j', (header, body, expected) => {
  expect(wantsCache(header, body)).toBe(expected);
});

test.each([
  ['/v1/embeddings', { input: ['a'] }],
  ['/v1/rerank', { query: 'q', documents: ['a'] }],
  ['/v1/classify', { input: ['a'] }],
])('%s tells the engine whether its client wants the cache', async (url, body) => {
  const wishes: unknown[] = [];
  const note = (_request: unknown, { cache }: RequestContext) => {
    wishes.push(cache);
    return Promise.reject(new Error('noted'));
  };
  const engine = fakeEngine({ embed: note, rerank: note, classify: note });
  const { post } = await createTestServer({ engine });
  await post(url, body);
  await post(url, { ...body, cache: false });
  await post(url, body, { 'cache-control': 'no-store' });
  expect(wishes).toEqual([true, false, false]);
  expect((await post(url, { ...body, cache: 'no' })).statusCode).toBe(400);
});
