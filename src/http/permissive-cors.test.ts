import { expect, test } from 'vitest';
import { createTestServer, testKeys } from './testing/test-server.ts';

const preflight = {
  method: 'OPTIONS',
  url: '/v1/embeddings',
  headers: {
    origin: 'https://app.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  },
} as const;

test('pages of every origin may call where that is allowed, before any key is asked for', async () => {
  const { server } = await createTestServer({ permissiveCors: true, ...testKeys('k') });
  const allowed = await server.inject(preflight);
  expect(allowed.statusCode).toBe(204);
  expect(allowed.headers).toMatchObject({
    'access-control-allow-origin': 'https://app.example',
    'access-control-allow-credentials': 'true',
    'access-control-allow-headers': 'authorization,content-type',
  });
  const refused = await server.inject({ method: 'GET', url: '/v1/models', headers: { origin: 'https://app.example' } });
  expect(refused.statusCode).toBe(401);
  expect(refused.headers['access-control-allow-origin']).toBe('https://app.example');
});

test('no page may call by default', async () => {
  const { server } = await createTestServer();
  const reply = await server.inject(preflight);
  expect(reply.statusCode).toBe(405);
  expect(reply.headers['access-control-allow-origin']).toBeUndefined();
});
