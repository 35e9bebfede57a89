import { expect, test } from 'vitest';
import type { FinishedRequest } from '../contracts/finished-request.ts';
import type { LogFields } from '../contracts/logger.ts';
import { logRequest } from './log-request.ts';

function linesFor(request: Partial<FinishedRequest>) {
  const lines: (readonly [level: string, message: string, fields: LogFields | undefined])[] = [];
  const level = (name: string) => (message: string, fields?: LogFields) => void lines.push([name, message, fields]);
  const logger = { error: level('error'), warning: level('warning'), info: level('info'), debug: level('debug') };
  logRequest(logger)({
    id: 'r1',
    method: 'POST',
    route: '/v1/embeddings',
    key: undefined,
    status: 200,
    error: undefined,
    startMs: 1000,
    endMs: 1012.34,
    requestBytes: 20,
    replyBytes: 2000,
    traceparent: undefined,
    tracestate: undefined,
    work: {},
    ...request,
  });
  return lines;
}

test('a request that was computed has a line with its model, what it was and where its time went', () => {
  const work = {
    model: 'm',
    items: 3,
    tokens: 40,
    cachedItems: 1,
    tokenize: { startMs: 1001, endMs: 1002 },
    wait: { startMs: 1002, endMs: 1002.5 },
    run: { startMs: 1002.5, endMs: 1011.04 },
  };
  const fields = {
    requestId: 'r1',
    method: 'POST',
    route: '/v1/embeddings',
    key: 'search',
    status: 200,
    model: 'm',
    items: 3,
  };
  const times = { tokens: 40, cachedItems: 1, tokenizeMs: 1, queueMs: 0.5, runMs: 8.5, ms: 12.3 };
  expect(linesFor({ work, key: 'search' })).toEqual([['info', 'request', { ...fields, ...times }]]);
});

test('a request that was refused has a line with the code of its error and nothing that it did not come to', () => {
  const [line] = linesFor({ status: 429, error: 'overloaded', work: { model: 'm' } });
  expect(JSON.parse(JSON.stringify(line))).toEqual([
    'info',
    'request',
    {
      requestId: 'r1',
      method: 'POST',
      route: '/v1/embeddings',
      status: 429,
      error: 'overloaded',
      model: 'm',
      ms: 12.3,
    },
  ]);
});

test('those that only look are for debugging', () => {
  expect(linesFor({ method: 'GET', route: '/health' }).map(([level]) => level)).toEqual(['debug']);
});
