import type { FastifyInstance } from 'fastify';

/** Whoever opens the address in a browser lands where something can be seen. An empty target means no redirect. */
export function redirectRoot(server: FastifyInstance, target: string): void {
  if (target === '') return;
  server.get('/', { schema: { hide: true } }, (_, reply) => reply.redirect(target, 307));
}
