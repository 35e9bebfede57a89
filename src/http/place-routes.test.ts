import { describe, expect, test } from 'vitest';
import { placeRoutes } from './place-routes.ts';
import type { Route } from './route.ts';
import { denseResult, fakeEngine, modelStatus } from './testing/fake-engine.ts';
import { createTestServer } from './testing/test-server.ts';

const engine = fakeEngine({
  models: () => [modelStatus('a/b')],
  embed: async () => denseResult([Float32Array.of(1)]),
  rerank: async () => ({ model: 'r', results: [{ index: 0, score: 1 }], tokens: 1 }),
});

describe('below --url-prefix /v1', () => {
  test.each([
    ['GET', '/v1/models', 200],
    ['GET', '/v1/models/a/b', 200],
    ['GET', '/v1/health', 200],
    ['GET', '/health', 200],
    ['GET', '/ready', 200],
    ['GET', '/v1/docs', 200],
    ['GET', '/v1/openapi.json', 200],
    ['POST', '/v1/embeddings', 200],
    ['POST', '/v2/rerank', 200],
    ['POST', '/v1/v1/embeddings', 404],
    ['GET', '/v1/v1/models', 404],
    ['GET', '/models', 404],
    ['POST', '/embeddings', 404],
    ['GET', '/docs', 404],
  ] as const)('%s %s is %i', async (method, url, status) => {
    const { server } = await createTestServer({ engine, urlPrefix: '/v1' });
    const payload = method === 'POST' ? { payload: { input: 'a', query: 'q', documents: ['d'] } } : {};
    expect((await server.inject({ method, url, ...payload })).statusCode).toBe(status);
  });

  test("/v1/rerank is the route of the original: documents come back as strings, and texts are TEI's", async () => {
    const { server } = await createTestServer({ engine, urlPrefix: '/v1' });
    const post = async (url: string, payload: object) => (await server.inject({ method: 'POST', url, payload })).json();
    const body = { query: 'q', documents: ['d'], return_documents: true };
    expect((await post('/v1/rerank', body)).results[0].document).toBe('d');
    expect((await post('/v2/rerank', body)).results[0].document).toEqual({ text: 'd' });
    expect(await post('/v1/rerank', { query: 'q', texts: ['d'] })).toEqual([{ index: 0, score: 1 }]);
  });

  test('the root leads to the documentation', async () => {
    const { server } = await createTestServer({ engine, urlPrefix: '/v1' });
    expect((await server.inject({ url: '/' })).headers.location).toBe('/v1/docs');
  });
});

test.each([
  ['GET', '/api/models', 200],
  ['GET', '/api/v1/models', 200],
  ['GET', '/v1/models', 404],
  ['POST', '/api/embeddings', 200],
  ['POST', '/api/v1/embeddings', 200],
  ['POST', '/api/v2/rerank', 200],
  ['GET', '/health', 200],
  ['GET', '/api/health', 200],
] as const)('below --url-prefix /api, %s %s is %i', async (method, url, status) => {
  const { server } = await createTestServer({ engine, urlPrefix: '/api' });
  const payload = method === 'POST' ? { payload: { input: 'a', query: 'q', documents: ['d'] } } : {};
  expect((await server.inject({ method, url, ...payload })).statusCode).toBe(status);
});

test('where a bare route and a versioned one meet, it is the bare one, whichever comes first', () => {
  const route = (path: string): Route => ({
    method: 'GET',
    paths: [path],
    access: 'open',
    operationId: path,
    summary: path,
    tag: 'test',
    replies: {},
    errors: [],
    handle: () => ({ body: '{}' }),
  });
  const routes = [route('/v1/rerank'), route('/rerank')];
  for (const order of [routes, routes.toReversed()]) {
    const taken = placeRoutes(order, '/v1').filter(({ places }) => places.length > 0);
    expect(taken.map(({ places }) => places)).toEqual([[{ url: '/v1/rerank', path: '/rerank' }]]);
  }
});
