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
    '/embeddings_image',
    '/v1/embeddings_image',
    '/embeddings_audio',
    '/v1/embeddings_audio',
    '/rerank',
    '/v1/rerank',
    '/v2/rerank',
    '/v1/embed',
    '/v2/embed',
    '/classify',
    '/v1/classify',
    '/embed',
    '/embed_all',
    '/embed_sparse',
    '/predict',
    '/similarity',
    '/tokenize',
    '/decode',
    '/info',
    '/v1/models',
    '/models',
    '/v1/models/{id}',
    '/models/{id}',
    '/health',
    '/v1/health',
    '/ready',
    '/v1/ready',
    '/metrics',
  ]);
  const ids = Object.values<Record<string, { operationId: string }>>(paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

test('names every error status of a route that takes a body', async () => {
  const { paths } = await fetchDocument();
  const statuses = ['200', '400', '401', '403', '404', '413', '415', '429', '500', '503', '504'];
  expect(Object.keys(paths['/v1/embeddings'].post.responses)).toEqual(statuses);
  expect(Object.keys(paths['/rerank'].post.responses)).toEqual(statuses);
});

test('every body and every reply has an example, which satisfies the schema beside it', async () => {
  const { paths } = await fetchDocument();
  for (const [path, operations] of Object.entries<Record<string, Operation>>(paths)) {
    for (const { requestBody, responses } of Object.values(operations)) {
      for (const described of [requestBody, responses[200]]) {
        const { schema, example, examples } = described?.content['application/json'] ?? {};
        if (schema === undefined) continue;
        const all = example === undefined ? Object.values(examples ?? {}).map(({ value }) => value) : [example];
        expect(all, path).not.toEqual([]);
        for (const each of all) expect(Check(schema, each), path).toBe(true);
      }
    }
  }
});

interface Content {
  readonly content: {
    readonly 'application/json': { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> };
  };
}

interface Operation {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<number, Content>>;
}

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
