import { describe, expect, test } from 'vitest';
import { ServiceError } from '../contracts/errors.ts';
import { denseResult, fakeEngine, modelStatus } from './testing/fake-engine.ts';
import { createTestServer, testKeys } from './testing/test-server.ts';

const embed = async () => denseResult([Float32Array.of(1)]);

describe('the API key', () => {
  const engine = fakeEngine({ embed, models: () => [modelStatus('m')] });
  const refusal = {
    error: {
      message: "Authorization: expected 'Bearer <an API key of this server>', got no Authorization header",
      type: 'authentication_error',
      param: null,
      code: 'unauthorized',
    },
  };

  test.each([
    ['POST', '/v1/embeddings'],
    ['POST', '/embeddings'],
    ['POST', '/v1/rerank'],
    ['POST', '/rerank'],
    ['GET', '/v1/models'],
    ['GET', '/models/m'],
    ['HEAD', '/models'],
  ] as const)('is asked for by %s %s, before the body is looked at', async (method, url) => {
    const { server } = await createTestServer({ engine, ...testKeys('k') });
    const body = method === 'POST' ? { payload: '{bad', headers: { 'content-type': 'text/plain' } } : {};
    const response = await server.inject({ method, url, ...body });
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer');
    if (method !== 'HEAD') expect(response.json()).toEqual(refusal);
  });

  test('opens the API', async () => {
    const { post } = await createTestServer({ engine, ...testKeys('k') });
    expect((await post('/embeddings', { input: 'x' }, { authorization: 'Bearer k' })).statusCode).toBe(200);
  });

  test.each(['/health', '/ready', '/metrics', '/docs', '/openapi.json', '/'])('is not asked for by %s', async (url) => {
    const { server } = await createTestServer({ engine, ...testKeys('k') });
    expect((await server.inject({ url })).statusCode).toBeLessThan(400);
  });
});

describe('a request that no route takes', () => {
  test.each([
    ['GET', '/nope', 404, undefined, 'There is no route /nope; GET /docs lists the routes there are'],
    ['POST', '/nope?x=1', 404, undefined, 'There is no route /nope; GET /docs lists the routes there are'],
    ['GET', '/docs/static/nope.js', 404, undefined, expect.stringContaining('There is no route /docs/static/nope.js')],
    ['GET', '/docs/static/..%2f..%2fpackage.json', 404, undefined, expect.stringContaining('There is no route')],
    ['GET', '/v1/embeddings', 405, 'POST', '/v1/embeddings: expected POST, got GET'],
    ['PUT', '/rerank/', 405, 'POST', '/rerank/: expected POST, got PUT'],
    ['OPTIONS', '/embeddings', 405, 'POST', '/embeddings: expected POST, got OPTIONS'],
    ['DELETE', '/v1/models/a/b', 405, 'GET, HEAD', '/v1/models/a/b: expected GET, HEAD, got DELETE'],
    ['POST', '/health', 405, 'GET, HEAD', '/health: expected GET, HEAD, got POST'],
    ['GET', '/%zz', 400, undefined, 'URL: expected a valid percent-encoded path'],
  ] as const)('%s %s is %i', async (method, url, status, allow, message) => {
    const { server } = await createTestServer({ ...testKeys('k') });
    // The body is none, whatever the server might make of it.
    const body = method === 'GET' ? {} : { payload: '{bad', headers: { 'content-type': 'application/json' } };
    const response = await server.inject({ method, url, ...body });
    expect(response.statusCode).toBe(status);
    expect(response.headers.allow).toBe(allow);
    expect(response.headers['x-request-id']).toBe('id-1');
    expect(response.json()).toEqual({
      error: { message, type: 'invalid_request_error', param: null, code: expect.any(String) },
    });
  });
});

describe('paths', () => {
  test.each(['/v1/embeddings', '/v1/embeddings/', '//v1//embeddings', '/embeddings?api-version=1'])(
    '%s reaches the embeddings',
    async (url) => {
      const { server } = await createTestServer({ engine: fakeEngine({ embed }) });
      expect((await server.inject({ method: 'POST', url, payload: { input: 'x' } })).statusCode).toBe(200);
    },
  );

  test('HEAD is answered where GET is', async () => {
    const { server } = await createTestServer();
    const response = await server.inject({ method: 'HEAD', url: '/health' });
    expect([response.statusCode, response.body]).toEqual([200, '']);
  });
});

describe('the request id', () => {
  test.each([
    ['of the client', 'abc-123/ü'.slice(0, 7), 'abc-123'],
    ['of the client at full length', 'x'.repeat(128), 'x'.repeat(128)],
    ['ours when there is none', undefined, 'id-1'],
    ['ours when it is empty', '', 'id-1'],
    ['ours when it is too long', 'x'.repeat(129), 'id-1'],
    ['ours when it holds blanks', 'a b', 'id-1'],
    ['ours when it is not ASCII', 'ü', 'id-1'],
  ])('is %s', async (_, sent, expected) => {
    const { server } = await createTestServer();
    const headers = sent === undefined ? {} : { 'x-request-id': sent };
    expect((await server.inject({ url: '/health', headers })).headers['x-request-id']).toBe(expected);
    expect((await server.inject({ url: '/nope', headers: { ...headers } })).headers['x-request-id']).toBeDefined();
  });
});

describe('a body above the limit', () => {
  test.each([
    ['with its length', { 'content-length': '100001' }],
    ['in chunks', { 'transfer-encoding': 'chunked' }],
  ])('%s is refused with the limit, and the log says so', async (_, headers) => {
    const { server, logLines } = await createTestServer();
    const payload = Buffer.alloc(100_001, ' ');
    const response = await server.inject({ method: 'POST', url: '/embeddings', payload, headers });
    expect(response.statusCode).toBe(413);
    expect(response.json().error).toEqual({
      message: 'Request body: expected at most 100000 bytes, got more',
      type: 'invalid_request_error',
      param: null,
      code: 'payload_too_large',
    });
    expect(logLines).toContainEqual(
      expect.objectContaining({ level: 'warning', fields: expect.objectContaining({ route: '/embeddings' }) }),
    );
  });
});

describe('an error that nobody foresaw', () => {
  test('is a 500 without internals; the log has the cause', async () => {
    const engine = fakeEngine({ embed: () => Promise.reject(new Error('secret detail')) });
    const { post, logLines } = await createTestServer({ engine });
    const response = await post('/v1/embeddings', { input: 'private text' }, { 'x-request-id': 'r1' });
    expect([response.statusCode, response.headers['x-request-id']]).toEqual([500, 'r1']);
    expect(response.json().error).toEqual({
      message: 'The server failed to answer; its log has the reason',
      type: 'server_error',
      param: null,
      code: 'internal_error',
    });
    const error = logLines.find(({ level }) => level === 'error');
    expect(error?.fields).toMatchObject({ requestId: 'r1', code: 'internal_error', route: '/v1/embeddings' });
    expect(error?.fields?.cause).toContain('secret detail');
    expect(JSON.stringify(logLines)).not.toContain('private text');
  });

  test('logs the cause of an error that the engine names, and never sends it', async () => {
    const error = new ServiceError('run_failed', 'The run failed', { cause: new Error('secret detail') });
    const { post, logLines } = await createTestServer({ engine: fakeEngine({ embed: () => Promise.reject(error) }) });
    const response = await post('/embeddings', { input: 'x' });
    expect(response.body).not.toContain('secret');
    expect(logLines.find(({ level }) => level === 'error')?.fields?.cause).toContain('secret detail');
  });
});

test('each request has one line with its route and never its URL or body', async () => {
  const { post, logLines } = await createTestServer({ engine: fakeEngine({ embed }), ...testKeys('sesame') });
  await post('/embeddings?x=private', { input: 'private' }, { authorization: 'Bearer sesame' });
  expect(logLines).toEqual([
    {
      level: 'info',
      message: 'request',
      fields: {
        requestId: 'id-1',
        method: 'POST',
        route: '/embeddings',
        key: 'name of sesame',
        status: 200,
        ms: expect.any(Number),
      },
    },
  ]);
});

describe('while the server shuts down', () => {
  test('API routes refuse new work and close the connection', async () => {
    const { post } = await createTestServer({ engine: fakeEngine(), isShuttingDown: () => true });
    const response = await post('/v1/embeddings', { input: 'x' });
    expect(response.statusCode).toBe(503);
    expect(response.headers).toMatchObject({ connection: 'close', 'retry-after': '5' });
    expect(response.json().error.code).toBe('shutting_down');
  });

  test('a request in flight is answered, and its connection closed', async () => {
    let shuttingDown = false;
    const engine = fakeEngine({
      embed: async () => {
        shuttingDown = true;
        return embed();
      },
    });
    const { post } = await createTestServer({ engine, isShuttingDown: () => shuttingDown });
    const response = await post('/v1/embeddings', { input: 'x' });
    expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
  });
});
