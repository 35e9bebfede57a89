import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, onRequestHookHandler } from 'fastify';
import type { Scope } from '../contracts/api-key.ts';
import { modelsOf } from './authorize.ts';
import type { ErrorForm } from './error-form.ts';
import { requestContext } from './request-context.ts';
import type { RequestsInHand } from './requests-in-hand.ts';
import type { Route, RouteReply } from './route.ts';
import { routeSchema } from './route-schema.ts';
import { TIMEOUT_HEADER, timeLimitMs } from './time-limit.ts';
import { wantsCache } from './wants-cache.ts';

export interface RouteRules {
  /** Makes what runs before the body is read, on routes that ask for a key of this scope. */
  readonly guard: (scope: Scope) => onRequestHookHandler;
  readonly requestsInHand: RequestsInHand;
  /** Seconds that any request may take once its body has been read; 0 sets no limit. */
  readonly requestTimeoutS: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    errorForm?: (body: unknown) => ErrorForm;
  }
}

/** Where a route is, and which of its own paths that is. */
export interface PlacedPath {
  readonly url: string;
  readonly path: string;
}

/** Gives a route to Fastify at each of these places. */
export function registerRoute(
  server: FastifyInstance,
  route: Route,
  places: readonly PlacedPath[],
  { guard, requestsInHand, requestTimeoutS }: RouteRules,
): void {
  for (const { url, path } of places) {
    server.route<{ Params: { '*'?: string } }>({
      method: route.method,
      url,
      schema: routeSchema(route, path),
      config: route.errorForm === undefined ? {} : { errorForm: route.errorForm },
      onRequest: route.access === 'open' ? [] : [guard(route.access)],
      async handler(request, reply) {
        const limitMs = timeLimitMs(request.headers[TIMEOUT_HEADER], requestTimeoutS);
        const call = {
          ...requestContext(reply.raw, { limitMs, abandoned: requestsInHand.abandoned }),
          cache: wantsCache(request.headers['cache-control'], request.body),
          mayUse: modelsOf(request.apiKey),
          work: request.work,
          body: request.body,
          wildcard: request.params['*'] ?? '',
        };
        return sendReply(reply, await route.handle(call));
      },
    });
  }
}

function sendReply(reply: FastifyReply, routeReply: RouteReply): FastifyReply {
  const { status = 200, headers = {}, contentType = 'application/json', body } = routeReply;
  reply.code(status).headers(headers).type(contentType);
  if (typeof body === 'string') return reply.send(body);
  return reply.header('content-length', body.bytes).send(Readable.from(body.chunks));
}
