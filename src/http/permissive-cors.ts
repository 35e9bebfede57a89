import fastifyCors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Lets pages of every origin call, with any header and cookies. Call before everything that refuses requests. */
export async function allowEveryOrigin(server: FastifyInstance): Promise<void> {
  await server.register(fastifyCors, {
    origin: true,
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'OPTIONS'],
    exposedHeaders: ['x-request-id', 'retry-after'],
    maxAge: 600,
    hook: 'onRequest',
  });
}
