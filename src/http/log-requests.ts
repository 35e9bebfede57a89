import type { FastifyInstance } from 'fastify';
import type { Logger } from '../contracts/logger.ts';
import { errorRow } from './error-table.ts';

/** One debug line per request, by its route's pattern: never its URL, its body or its headers. */
export function logRequests(server: FastifyInstance, logger: Logger): void {
  server.addHook('onRequest', async ({ id, method, routeOptions }, reply) => {
    // `close` also comes for clients that have gone, of whom Fastify's hooks do not tell once the body has been read.
    reply.raw.once('close', () => {
      const status = reply.raw.writableEnded ? reply.statusCode : errorRow('request_cancelled').status;
      const ms = Math.round(reply.elapsedTime * 10) / 10;
      logger.debug('request', { requestId: id, method, route: routeOptions.url, status, ms });
    });
  });
}
