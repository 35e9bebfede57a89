import type { RouteFactory } from '../../route.ts';

/** Liveness: the server's event loop turns. Says nothing about models, so that slow loading gets no container killed. */
export const health: RouteFactory = ({ nowMs }) => ({
  method: 'GET',
  paths: ['/health', '/v1/health'],
  access: 'open',
  atRoot: true,
  operationId: 'health',
  summary: 'Is the process alive?',
  tag: 'service',
  replies: {
    200: {
      type: 'object',
      required: ['unix'],
      properties: { unix: { type: 'number', description: 'Unix seconds, with fractions.' } },
      examples: [{ unix: 1796063637.489 }],
    },
  },
  errors: [],
  handle: () => ({ body: JSON.stringify({ unix: nowMs() / 1000 }) }),
});
