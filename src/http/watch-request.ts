import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../contracts/api-key.ts';
import type { ErrorCode } from '../contracts/errors.ts';
import type { RequestObserver } from '../contracts/finished-request.ts';
import type { RequestWork } from '../contracts/request-work.ts';
import { errorRow } from './error-table.ts';

declare module 'fastify' {
  interface FastifyRequest {
    work: RequestWork | undefined;
    /** Why it has been refused or has failed. */
    failure: ErrorCode | undefined;
    /** Of its client, once it has been found to be one. */
    apiKey: ApiKey | undefined;
  }
}

/** Call as soon as a request is there. Its observers are told once, when it is over. */
export type WatchRequest = (request: FastifyRequest, reply: FastifyReply) => void;

export function createWatch(observers: readonly RequestObserver[], bodyLimitBytes: number): WatchRequest {
  return (request, reply) => {
    const startMs = performance.now();
    const work: RequestWork = {};
    request.work = work;
    // `close` also comes for clients that have gone, of whom Fastify's hooks do not tell once the body has been read.
    reply.raw.once('close', () => {
      const gone = !reply.raw.writableEnded;
      const { traceparent, tracestate } = request.headers;
      const finished = {
        id: request.id,
        method: request.method,
        route: request.is404 ? undefined : request.routeOptions.url,
        key: request.apiKey?.name,
        status: gone ? errorRow('request_cancelled').status : reply.statusCode,
        error: gone ? ('request_cancelled' as const) : request.failure,
        startMs,
        endMs: performance.now(),
        requestBytes: bytesIn(request.headers['content-length'], bodyLimitBytes),
        replyBytes: gone ? undefined : bytesIn(reply.getHeader('content-length'), Number.MAX_SAFE_INTEGER),
        traceparent: oneValue(traceparent),
        tracestate: oneValue(tracestate),
        work,
      };
      for (const observe of observers) observe(finished);
    });
  };
}

/** A body above the limit is not read: whatever was announced of it, there was none. */
function bytesIn(contentLength: unknown, limit: number): number | undefined {
  const bytes = Number(contentLength);
  return bytes <= limit ? bytes : undefined;
}

function oneValue(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(',');
}
