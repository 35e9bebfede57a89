import { describe, expect, test } from 'vitest';
import { keyDigest } from '../contracts/api-key.ts';
import { createTestServer, testKeys } from './testing/test-server.ts';

const DOCS = [
  '/docs',
  '/docs/',
  '/docs/json',
  '/docs/yaml',
  '/docs/static/swagger-ui-bundle.js',
  '/docs/static/swagger-initializer.js',
  '/openapi.json',
];

describe('where it is asked for', () => {
  test.each([...DOCS, '/metrics'])('%s needs a key', async (url) => {
    const { request } = await createTestServer({ ...testKeys('k'), protectMetrics: true, protectDocs: true });
    expect((await request({ url })).statusCode).toBe(401);
    expect((await request({ url, headers: { authorization: 'Bearer k' } })).statusCode).toBe(200);
  });

  test.each(['/health', '/ready', '/'])('%s stays open', async (url) => {
    const { request } = await createTestServer({ ...testKeys('k'), protectMetrics: true, protectDocs: true });
    expect((await request({ url })).statusCode).toBeLessThan(400);
  });

  test('a key with the scope of one does not open the other', async () => {
    const { request } = await createTestServer({
      apiKeys: () => [{ name: 'scraper', digest: keyDigest('k'), scopes: ['metrics'] }],
      protectMetrics: true,
      protectDocs: true,
    });
    const statusOf = async (url: string) => (await request({ url, headers: { authorization: 'Bearer k' } })).statusCode;
    expect([await statusOf('/metrics'), await statusOf('/docs'), await statusOf('/models')]).toEqual([200, 403, 403]);
  });

  test('metrics are there to the end, and cost no allowance', async () => {
    const { request } = await createTestServer({
      apiKeys: () => [{ name: 'scraper', digest: keyDigest('k'), limits: { requestsPerMinute: 1 } }],
      protectMetrics: true,
      isShuttingDown: () => true,
    });
    for (let index = 0; index < 3; index += 1) {
      expect((await request({ url: '/metrics', headers: { authorization: 'Bearer k' } })).statusCode).toBe(200);
    }
  });
});

test.each(DOCS)('%s runs scripts of this server only, and in no frame', async (url) => {
  const { request } = await createTestServer();
  const { headers, body } = await request({ url });
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; /);
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['x-content-type-options']).toBe('nosniff');
  // What that policy would not run.
  if (url.endsWith('docs') || url.endsWith('/')) expect(body).not.toMatch(/<script(?![^>]*\ssrc=)|\son\w+=|style=/);
});
