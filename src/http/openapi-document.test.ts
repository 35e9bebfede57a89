import { fileURLToPath } from 'node:url';
import { Check } from 'typebox/schema';
import { expect, test } from 'vitest';
import { createTestServer } from './testing/test-server.ts';

const COMMITTED = fileURLToPath(new URL('../../docs/reference/openapi.json', import.meta.url));

async function fetchDocument() {
  const { server } = await createTestServer({ maxClientBatchSize: 2048 });
  return (await server.inject({ url: '/openapi.json' })).json();
}

test('the committed OpenAPI document is fresh; `npx vitest run -u` renews it', async () => {
  await expect(`${JSON.stringify(await fetchDocument(), null, 2)}\n`).toMatchFileSnapshot(COMMITTED);
});

test('describes each route, each with its own operationId', async () => {
  const { openapi, paths } = await fetchDocument();
  expect(openapi).toBe('3.1.0');
  expect(Object.keys(paths)).toEqual([
    '/v1/embeddings',
    '/embeddings',
    '/v1/rerank',
    '/rerank',
    '/classify',
    '/v1/classify',
    '/v1/models',
    '/models',
    '/v1/models/{id}',
    '/models/{id}',
    '/health',
    '/v1/health',
    '/ready',
    '/v1/ready',
  ]);
  const ids = Object.values<Record<string, { operationId: string }>>(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test('names every error status of a route that takes a body', async () => {
  const { paths } = await fetchDocument();
  const statuses = ['200', '400', '401', '404', '413', '415', '429', '500', '503', '504'];
  expect(Object.keys(paths['/v1/embeddings'].post.responses)).toEqual(statuses);
  expect(Object.keys(paths['/rerank'].post.responses)).toEqual(statuses);
});

test('the examples satisfy the schemas beside them', async () => {
  const { paths } = await fetchDocument();
  for (const path of ['/v1/embeddings', '/v1/rerank', '/rerank']) {
    const { requestBody, responses } = paths[path].post;
    for (const { schema, example } of [requestBody.content, responses[200].content].map((c) => c['application/json'])) {
      expect(example).toBeDefined();
      expect(Check(schema, example)).toBe(true);
    }
  }
});

test('Swagger UI loads nothing from other hosts and reads our document', async () => {
  const { server } = await createTestServer();
  const page = await server.inject({ url: '/docs' });
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  const files = [...page.body.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url]) => url ?? '');
  expect(files).toContain('/docs/static/swagger-ui-bundle.js');
  for (const url of files) expect((await server.inject({ url })).statusCode).toBe(200);
  const initializer = await server.inject({ url: '/docs/static/swagger-initializer.js' });
  expect(initializer.body).toContain('validatorUrl: null');
  expect((await server.inject({ url: '/docs/json' })).json()).toEqual(
    (await server.inject({ url: '/openapi.json' })).json(),
  );
});

test('the root leads to the documentation', async () => {
  const { server } = await createTestServer();
  const response = await server.inject({ url: '/' });
  expect([response.statusCode, response.headers.location]).toEqual([307, '/docs']);
});
