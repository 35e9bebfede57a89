import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, onRequestHookHandler } from 'fastify';
import { requestContext } from './request-context.ts';
import type { Route, RouteReply } from './route.ts';
import { routeSchema } from './route-schema.ts';
import { TIMEOUT_HEADER, timeLimitMs } from './time-limit.ts';
import { wantsCache } from './wants-cache.ts';

export interface RouteRules {
  /** Runs before the body is read, on routes that ask for the key. */
  readonly guard: onRequestHookHandler;
  /** Seconds that any request may take once its body has been read; 0 sets no limit. */
  readonly requestTimeoutS: number;
}

/** Gives a route to Fastify at each of its paths. */
export function registerRoute(server: FastifyInstance, route: Route, { guard, requestTimeoutS }: RouteRules): void {
  for (const path of route.paths) {
    server.route<{ Params: { '*'?: string } }>({
      method: route.method,
      url: path,
      schema: routeSchema(route, path),
      onRequest: route.access === 'key' ? [guard] : [],
      async handler(request, reply) {
        const limitMs = timeLimitMs(request.headers[TIMEOUT_HEADER], requestTimeoutS);
        const call = {
          ...requestContext(reply.raw, limitMs),
          cache: wantsCache(request.headers['cache-control'], request.body),
          body: request.body,
          wildcard: request.params['*'] ?? '',
        };
        return sendReply(reply, await route.handle(call));
      },
    });
  }
}

function sendReply(reply: FastifyReply, { status = 200, headers = {}, body }: RouteReply): FastifyReply {
  reply.code(status).headers(headers).type('application/json');
  if (typeof body === 'string') return reply.send(body);
  return reply.header('content-length', body.bytes).send(Readable.from(body.chunks));
}
