import type { RouteFactory } from '../../route.ts';

/** What is counted of the service, for Prometheus and what reads its text format. */
export const metrics: RouteFactory = ({ metrics: { contentType, render }, metricsAccess }) => ({
  method: 'GET',
  paths: ['/metrics'],
  access: metricsAccess,
  atRoot: true,
  operationId: 'metrics',
  summary: 'What is counted of the service, for Prometheus',
  tag: 'service',
  replies: { 200: { content: { 'text/plain': { schema: { type: 'string' } } } } },
  errors: [],
  handle: async () => ({ contentType, body: await render() }),
});
