import { describe, expect, test } from 'vitest';
import type { RequestContext } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { FinishedRequest } from '../contracts/finished-request.ts';
import { connect } from './testing/connect.ts';
import { denseResult, fakeEngine } from './testing/fake-engine.ts';
import { createTestServer } from './testing/test-server.ts';

async function watchedServer(embed: (request: unknown, context: RequestContext) => Promise<never>) {
  const finished: FinishedRequest[] = [];
  const told: ((request: FinishedRequest) => void)[] = [];
  const observe = (request: FinishedRequest) => {
    finished.push(request);
    told.shift()?.(request);
  };
  const next = () => new Promise<FinishedRequest>((resolve) => told.push(resolve));
  const server = await createTestServer({ engine: fakeEngine({ embed }), observers: [observe], bodyLimitBytes: 1000 });
  return { ...server, finished, next };
}

const refuse = async (): Promise<never> => {
  throw new ServiceError('overloaded', 'full', { retryAfterS: 1 });
};

describe('an observer is told of a request once, when it is over', () => {
  test('with its route, its status, its sizes, and what its work was', async () => {
    const finished: FinishedRequest[] = [];
    const { server } = await createTestServer({
      engine: fakeEngine({
        async embed(_, { work = {} }) {
          work.model = 'm';
          return denseResult([Float32Array.of(1)]);
        },
      }),
      observers: [(request) => finished.push(request)],
    });
    const headers = { traceparent: '00-1-2-01', tracestate: 'a=b', 'content-type': 'application/json' };
    const reply = await server.inject({ method: 'POST', url: '/embeddings?a=b', payload: '{"input":"x"}', headers });
    expect(finished).toEqual([
      {
        id: 'id-1',
        method: 'POST',
        route: '/embeddings',
        status: 200,
        error: undefined,
        startMs: expect.any(Number),
        endMs: expect.any(Number),
        requestBytes: 13,
        replyBytes: reply.rawPayload.length,
        traceparent: '00-1-2-01',
        tracestate: 'a=b',
        work: { model: 'm' },
      },
    ]);
    expect(finished[0]?.endMs).toBeGreaterThanOrEqual(finished[0]?.startMs ?? Number.NaN);
  });

  test.each([
    ['/embeddings', { input: 'x' }, '/embeddings', 429, 'overloaded', 13],
    ['/embeddings', { input: 5 }, '/embeddings', 400, 'invalid_request', 11],
    ['/embeddings', { input: 'x'.repeat(1000) }, '/embeddings', 413, 'payload_too_large', undefined],
    ['/health', {}, undefined, 405, 'method_not_allowed', 2],
    ['/models/a/b', {}, undefined, 405, 'method_not_allowed', 2],
    ['/nope', {}, undefined, 404, 'route_not_found', 2],
    ['/%zz', {}, undefined, 400, 'invalid_request', 2],
  ] as const)('POST %s %j is of route %s', async (url, payload, route, status, error, requestBytes) => {
    const { server, finished } = await watchedServer(refuse);
    await server.inject({ method: 'POST', url, payload });
    expect(finished).toEqual([expect.objectContaining({ route, status, error, requestBytes })]);
  });

  test('a client that has gone is told apart', async () => {
    let destroy = () => {};
    const { server, finished, next } = await watchedServer((_, { signal }) => {
      destroy();
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    await server.ready();
    const connection = connect(server);
    destroy = connection.destroy;
    const over = next();
    connection.write('POST /embeddings HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n');
    connection.write('content-length: 13\r\n\r\n{"input":"x"}');
    await over;
    expect(finished).toEqual([
      expect.objectContaining({ route: '/embeddings', status: 499, error: 'request_cancelled', replyBytes: undefined }),
    ]);
  });
});
