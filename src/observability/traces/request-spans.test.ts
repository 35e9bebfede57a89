import { expect, test } from 'vitest';
import type { FinishedRequest } from '../../contracts/finished-request.ts';
import { requestSpans } from './request-spans.ts';

const REQUEST: FinishedRequest = {
  id: 'r1',
  method: 'POST',
  route: '/v1/embeddings',
  status: 200,
  error: undefined,
  key: undefined,
  startMs: 1000,
  endMs: 1020,
  requestBytes: 20,
  replyBytes: 2000,
  traceparent: undefined,
  tracestate: undefined,
  work: {},
};

test('a request has a span with what it was, and one for each stage that it came to', () => {
  const work = {
    model: 'm',
    items: 3,
    tokens: 40,
    tokenize: { startMs: 1001, endMs: 1002 },
    wait: { startMs: 1002, endMs: 1005 },
    run: { startMs: 1005, endMs: 1019 },
  };
  const spans = requestSpans({ ...REQUEST, work });
  expect(spans?.root).toMatchObject({
    name: 'POST /v1/embeddings',
    startMs: 1000,
    endMs: 1020,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/v1/embeddings',
      'http.response.status_code': 200,
      'gen_ai.request.model': 'm',
      'gen_ai.usage.input_tokens': 40,
      'infinity.items': 3,
      'infinity.request_id': 'r1',
    },
  });
  expect(spans?.failed).toBe(false);
  expect(spans?.stages).toEqual([
    { name: 'tokenize', startMs: 1001, endMs: 1002, attributes: { 'gen_ai.request.model': 'm' } },
    { name: 'wait', startMs: 1002, endMs: 1005, attributes: { 'gen_ai.request.model': 'm' } },
    { name: 'run', startMs: 1005, endMs: 1019, attributes: { 'gen_ai.request.model': 'm' } },
  ]);
});

test.each([
  [400, 'invalid_request', false],
  [429, 'overloaded', false],
  [499, 'request_cancelled', false],
  [500, 'run_failed', true],
  [504, 'deadline_exceeded', true],
] as const)('a request that ends with %d names its error; the server is to blame: %s, %s', (status, error, failed) => {
  const spans = requestSpans({ ...REQUEST, status, error });
  expect([spans?.root.attributes['error.type'], spans?.failed, spans?.stages]).toEqual([error, failed, []]);
});

test('what no route took has its method as its name: a path is what a client chose', () => {
  expect(requestSpans({ ...REQUEST, route: undefined, status: 404 })?.root.name).toBe('POST');
});

test('probes and scrapes have none', () => {
  expect(requestSpans({ ...REQUEST, method: 'GET', route: '/health' })).toBeUndefined();
});
