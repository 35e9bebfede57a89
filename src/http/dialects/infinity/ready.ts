import type { ModelStatus } from '../../../contracts/engine.ts';
import { type ErrorCode, ServiceError } from '../../../contracts/errors.ts';
import { ERROR_BODY_SCHEMA, errorBody } from '../../error-body.ts';
import { errorRow } from '../../error-table.ts';
import type { RouteFactory } from '../../route.ts';
import { MODEL_STATE_SCHEMA } from '../openai/model-object.ts';

const MODELS = {
  type: 'array',
  items: {
    type: 'object',
    required: ['id', 'state'],
    properties: {
      id: { type: 'string' },
      state: MODEL_STATE_SCHEMA,
      reason: { type: 'string', description: 'Why it failed.' },
      retry_in_s: { type: 'integer', description: 'In how many seconds loading it is tried again by itself.' },
    },
  },
};
const READY = {
  description: 'Requests can be served.',
  type: 'object',
  required: ['status', 'models'],
  properties: { status: { const: 'ready' }, models: MODELS },
  examples: [{ status: 'ready', models: [{ id: 'BAAI/bge-small-en-v1.5', state: 'ready' }] }],
};
const NOT_READY = {
  description: 'Not yet, not any more, or no model works.',
  type: 'object',
  required: ['status', 'models', 'error'],
  properties: {
    status: { enum: ['loading', 'failed', 'shutting_down'] },
    models: MODELS,
    ...ERROR_BODY_SCHEMA.properties,
  },
};

/**
 * Readiness: 200 when no model is loading and at least one serves, otherwise 503. Both name the state of each model. One that
 * is loaded on demand serves, whether it is in memory or not.
 */
export const ready: RouteFactory = ({ engine, isShuttingDown }) => ({
  method: 'GET',
  paths: ['/ready', '/v1/ready'],
  access: 'open',
  atRoot: true,
  operationId: 'ready',
  summary: 'Can requests be served?',
  tag: 'service',
  replies: { 200: READY, 503: NOT_READY },
  errors: [],

  handle() {
    const statuses = engine.models();
    const models = statuses.map(({ servedName: id, state, reason, retryInS }) => {
      return { id, state, reason, retry_in_s: retryInS };
    });
    const obstacle = findObstacle(statuses, isShuttingDown());
    if (obstacle === undefined) return { body: JSON.stringify({ status: 'ready', models }) };
    const { status, error } = obstacle;
    const row = errorRow(error.code);
    return {
      status: row.status,
      headers: row.headers ?? {},
      body: JSON.stringify({ status, models, ...errorBody(error) }),
    };
  },
});

type Status = 'loading' | 'failed' | 'shutting_down';

function findObstacle(statuses: readonly ModelStatus[], shuttingDown: boolean) {
  const names = (models: readonly ModelStatus[]) => models.map(({ servedName }) => `'${servedName}'`).join(', ');
  if (shuttingDown) return obstacle('shutting_down', 'shutting_down', 'The server is shutting down');
  const loading = statuses.filter(({ state, onDemand }) => state === 'loading' && !onDemand);
  if (loading.length > 0) return obstacle('loading', 'model_loading', `Still loading: ${names(loading)}`);
  const failed = statuses.filter(({ state }) => state === 'failed');
  if (failed.length < statuses.length) return undefined;
  return obstacle('failed', 'model_failed', `No model serves; failed: ${names(failed) || 'none was loaded'}`);
}

function obstacle(status: Status, code: ErrorCode, message: string) {
  return { status, error: new ServiceError(code, message) };
}
