import { ServiceError } from '../../../contracts/errors.ts';
import { ERROR_BODY_SCHEMA, errorBody } from '../../error-body.ts';
import type { RouteFactory } from '../../route.ts';

const UNIX = { type: 'number', description: 'Unix seconds, with fractions.' };

/**
 * Liveness: the server's event loop turns, and some model may yet serve. 503 only once every model has failed for good, so
 * that slow loading, or a hub that is down for a while, gets no container killed.
 */
export const health: RouteFactory = ({ engine, nowMs }) => ({
  method: 'GET',
  paths: ['/health', '/v1/health'],
  access: 'open',
  atRoot: true,
  operationId: 'health',
  summary: 'Is the process alive?',
  tag: 'service',
  replies: {
    200: {
      description: 'Alive: models serve, load, or are tried again.',
      type: 'object',
      required: ['unix'],
      properties: { unix: UNIX },
      examples: [{ unix: 1796063637.489 }],
    },
    503: {
      description: 'Every model has failed, and none is tried again: only a new start helps.',
      type: 'object',
      required: ['unix', 'error'],
      properties: { unix: UNIX, ...ERROR_BODY_SCHEMA.properties },
    },
  },
  errors: [],

  handle() {
    const unix = nowMs() / 1000;
    const models = engine.models();
    if (models.some(({ state, recovers }) => state !== 'failed' || recovers)) return { body: JSON.stringify({ unix }) };
    const names = models.map(({ servedName }) => `'${servedName}'`).join(', ');
    const error = new ServiceError('model_failed', `Every model has failed: ${names}`);
    return { status: 503, body: JSON.stringify({ unix, ...errorBody(error) }) };
  },
});
