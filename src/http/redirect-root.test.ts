import { expect, test } from 'vitest';
import { createTestServer } from './testing/test-server.ts';

test.each([
  ['to the docs', {}, 307, '/docs'],
  ['elsewhere', { redirectSlash: '/v1/models' }, 307, '/v1/models'],
  ['nowhere', { redirectSlash: '' }, 404, undefined],
])('the path / leads %s', async (_name, options, status, location) => {
  const { server } = await createTestServer(options);
  const reply = await server.inject({ url: '/' });
  expect([reply.statusCode, reply.headers.location]).toEqual([status, location]);
});

test('the OpenAPI document names the path under which a proxy offers the server', async () => {
  const { server } = await createTestServer({ proxyRootPath: '/embed' });
  expect((await server.inject({ url: '/openapi.json' })).json().servers).toEqual([{ url: '/embed' }]);
});
