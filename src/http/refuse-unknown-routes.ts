import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../contracts/errors.ts';
import { createRouteIndex } from './route-index.ts';

const QUOTED_CHARACTERS = 200;

/** Answers 404, or 405 with `Allow` where the path exists for another method. Call before routes are registered. */
export function refuseUnknownRoutes(server: FastifyInstance): void {
  const index = createRouteIndex();
  server.addHook('onRoute', ({ method, url }) => index.add(method, url));

  async function refuse(request: FastifyRequest, reply: FastifyReply): Promise<never> {
    const path = (request.url.split('?', 1)[0] ?? '').slice(0, QUOTED_CHARACTERS);
    const methods = index.methodsOf(request.url);
    // A route that answers this method has itself decided that there is nothing: a file of the docs, say.
    if (methods.length === 0 || methods.includes(request.method)) {
      throw new ServiceError('route_not_found', `There is no route ${path}; GET /docs lists the routes there are`);
    }
    const allow = methods.join(', ');
    reply.header('allow', allow);
    throw new ServiceError('method_not_allowed', `${path}: expected ${allow}, got ${request.method}`);
  }

  // A hook, because the handler below only runs after the body has been read and parsed; plugins call the handler.
  server.addHook('onRequest', async (request, reply) => {
    if (request.is404) await refuse(request, reply);
  });
  server.setNotFoundHandler(refuse);
}
