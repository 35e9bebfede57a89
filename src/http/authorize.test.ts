import { expect, test } from 'vitest';
import { type ApiKey, keyDigest, SCOPES } from '../contracts/api-key.ts';
import { authorize } from './authorize.ts';
import { fakeEngine, modelStatus } from './testing/fake-engine.ts';
import { createTestServer } from './testing/test-server.ts';

function keyOf(name: string, rest: Partial<ApiKey>): ApiKey {
  return { name, digest: keyDigest(name), ...rest };
}

test('a key opens the scopes that it has, all of them without a list, and everything is open without keys', () => {
  for (const scope of SCOPES) {
    expect(() => authorize(undefined, scope)).not.toThrow();
    expect(() => authorize(keyOf('all', {}), scope)).not.toThrow();
    expect(() => authorize(keyOf('one', { scopes: [scope] }), scope)).not.toThrow();
    expect(() => authorize(keyOf('none', { scopes: [] }), scope)).toThrow(
      `API key 'none': expected one with the scope '${scope}', got none`,
    );
  }
});

test('each route asks for the scope of what it does, before the body is looked at', async () => {
  const { request } = await createTestServer({
    apiKeys: () => [keyOf('search', { scopes: ['rerank', 'tokenize'] })],
  });
  const statusOf = async (method: 'GET' | 'POST', url: string) => {
    const headers = { authorization: 'Bearer search', 'content-type': 'application/json' };
    const reply = await request({ method, url, headers, ...(method === 'POST' ? { payload: '{bad' } : {}) });
    return `${reply.statusCode} ${url}`;
  };
  const refused = ['/embeddings', '/v1/embeddings', '/classify', '/embed', '/embed_all', '/embed_sparse', '/predict'];
  for (const url of [...refused, '/similarity', '/v2/embed', '/embeddings_image']) {
    expect(await statusOf('POST', url)).toBe(`403 ${url}`);
  }
  for (const url of ['/models', '/v1/models/a', '/info']) expect(await statusOf('GET', url)).toBe(`403 ${url}`);
  for (const url of ['/rerank', '/v2/rerank', '/tokenize', '/decode']) {
    expect(await statusOf('POST', url)).toBe(`400 ${url}`);
  }
});

test('a refusal says which scope is missing, never the key', async () => {
  const { post, logLines } = await createTestServer({
    apiKeys: () => [{ ...keyOf('search', { scopes: ['rerank'] }), digest: keyDigest('sesame') }],
  });
  const reply = await post('/v1/embeddings', { input: 'x' }, { authorization: 'Bearer sesame' });
  expect(reply.json().error).toEqual({
    message: "API key 'search': expected one with the scope 'embed', got rerank",
    type: 'permission_error',
    param: null,
    code: 'forbidden',
  });
  expect(logLines).toMatchObject([{ message: 'request', fields: { key: 'search', status: 403 } }]);
  expect(JSON.stringify(logLines) + reply.body).not.toContain('sesame');
});

test('a key that is for some models sees and may use these only', async () => {
  const asked: (boolean | undefined)[] = [];
  const engine = fakeEngine({
    models: () => [modelStatus('a'), modelStatus('b')],
    tokenize: async (_, { mayUse }) => {
      asked.push(mayUse?.('a'), mayUse?.('b'));
      return { model: 'a', texts: [] };
    },
  });
  const { request, post } = await createTestServer({ engine, apiKeys: () => [keyOf('search', { models: ['a'] })] });
  const headers = { authorization: 'Bearer search' };
  const list = (await request({ url: '/models', headers })).json();
  expect(list.data.map(({ id }: { id: string }) => id)).toEqual(['a']);
  expect((await request({ url: '/models/a', headers })).statusCode).toBe(200);
  expect((await request({ url: '/models/b', headers })).statusCode).toBe(404);
  await post('/tokenize', { inputs: 'x' }, headers);
  expect(asked).toEqual([true, false]);
});
