import { describe, expect, test } from 'vitest';
import type { RequestContext } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';
import { connect } from './testing/connect.ts';
import { fakeEngine } from './testing/fake-engine.ts';
import { createTestServer } from './testing/test-server.ts';

const post = (headers: string, body: string) => `POST /embeddings HTTP/1.1\r\nhost: a\r\n${headers}\r\n\r\n${body}`;

describe('bytes that never become a request are answered in the envelope of all errors', () => {
  test.each([
    ['no HTTP at all', '\x16\x03\x01\x02\x00\x01\x00', 400],
    ['another version', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['headers that are too large', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['two lengths', post('content-length: 2\r\ncontent-length: 3', '{}'), 400],
    ['a length and chunks', post('content-length: 2\r\ntransfer-encoding: chunked', '2\r\n{}\r\n0\r\n\r\n'), 400],
    ['a bad chunk', post('transfer-encoding: chunked', 'zz\r\n'), 400],
  ])('%s', async (_, bytes, status) => {
    const { server } = await createTestServer();
    await server.ready();
    const connection = connect(server);
    connection.write(bytes);
    const reply = await connection.closed;
    const [head, body] = reply.split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/\r\nX-Request-Id: id-\d/);
    expect(JSON.parse(body ?? '')).toEqual({
      error: { message: expect.any(String), type: 'invalid_request_error', param: null, code: 'invalid_request' },
    });
  });
});

describe('what Node would refuse without a body', () => {
  test('a request without Host is answered in the envelope', async () => {
    const { server } = await createTestServer();
    await server.ready();
    const connection = connect(server);
    connection.write('GET /health HTTP/1.1\r\nconnection: close\r\n\r\n');
    expect(await connection.closed).toMatch(/^HTTP\/1.1 400 [^{]+\{"error":\{"message":"Host: /);
  });

  test('an unknown expectation is ignored', async () => {
    const { server } = await createTestServer();
    await server.ready();
    const connection = connect(server);
    connection.write('GET /health HTTP/1.1\r\nhost: a\r\nexpect: tea\r\nconnection: close\r\n\r\n');
    expect(await connection.closed).toMatch(/^HTTP\/1.1 200 /);
  });
});

test('a client that goes away aborts its work, which is no error of ours', async () => {
  let start: (signal: AbortSignal) => void;
  const started = new Promise<AbortSignal>((resolve) => {
    start = resolve;
  });
  const embed = (_: unknown, { signal }: RequestContext) => {
    start(signal);
    return new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const { server, logLines } = await createTestServer({ engine: fakeEngine({ embed }) });
  await server.ready();
  const connection = connect(server);
  connection.write(post('content-type: application/json\r\ncontent-length: 13', '{"input":"x"}'));
  const signal = await started;
  expect(signal.aborted).toBe(false);
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
  connection.destroy();
  await aborted;
  await new Promise(setImmediate);
  expect(signal.reason).toMatchObject({ code: 'request_cancelled' });
  expect(logLines).toEqual([
    {
      level: 'info',
      message: 'request',
      fields: {
        requestId: 'id-1',
        method: 'POST',
        route: '/embeddings',
        status: 499,
        error: 'request_cancelled',
        ms: expect.any(Number),
      },
    },
  ]);
});

test('a request that takes longer than its header allows is answered with 504, and its work is told', async () => {
  const reasons: unknown[] = [];
  const embed = (_: unknown, { signal, deadlineMs }: RequestContext) => {
    expect(deadlineMs).toBeLessThanOrEqual(performance.now() + 10);
    return new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => {
        reasons.push(signal.reason);
        reject(signal.reason);
      }),
    );
  };
  const { post: send } = await createTestServer({ engine: fakeEngine({ embed }), requestTimeoutS: 60 });
  const reply = await send('/embeddings', { input: 'x' }, { 'x-request-timeout': '0.01' });
  expect(reply.statusCode).toBe(504);
  expect(reply.json().error).toMatchObject({ code: 'deadline_exceeded', message: expect.stringContaining('0.01 s') });
  expect(reasons).toHaveLength(1);
  expect((await send('/embeddings', { input: 'x' }, { 'x-request-timeout': 'soon' })).statusCode).toBe(400);
});

test('a request that finds no room is answered with 429 and the time to wait', async () => {
  const embed = () => Promise.reject(new ServiceError('overloaded', 'full', { retryAfterS: 7 }));
  const { post: send } = await createTestServer({ engine: fakeEngine({ embed }) });
  for (const input of ['apple', ['apple']]) {
    const reply = await send('/v1/embeddings', { input });
    expect(reply.statusCode).toBe(429);
    expect(reply.headers['retry-after']).toBe('7');
    expect(reply.json().error).toMatchObject({ code: 'overloaded', message: 'full' });
  }
});
