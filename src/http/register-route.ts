import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, onRequestHookHandler } from 'fastify';
import { clientGoneSignal } from './client-gone-signal.ts';
import type { Route, RouteReply } from './route.ts';
import { routeSchema } from './route-schema.ts';

/** Gives a route to Fastify at each of its paths. `guard` runs before the body is read, on routes that ask for the key. */
export function registerRoute(server: FastifyInstance, route: Route, guard: onRequestHookHandler): void {
  for (const path of route.paths) {
    server.route<{ Params: { '*'?: string } }>({
      method: route.method,
      url: path,
      schema: routeSchema(route, path),
      onRequest: route.access === 'key' ? [guard] : [],
      async handler(request, reply) {
        const call = {
          body: request.body,
          signal: clientGoneSignal(reply.raw),
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
