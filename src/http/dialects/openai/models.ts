import type { RouteFactory } from '../../route.ts';
import { MODEL_OBJECT_SCHEMA, modelObject } from './model-object.ts';

/** Every model that the client may use, in the order of its settings; those that are not ready too, told apart by `state`. */
export const models: RouteFactory = ({ engine, nowMs }) => ({
  method: 'GET',
  paths: ['/v1/models', '/models'],
  access: 'models',
  operationId: 'models',
  summary: 'List the models',
  tag: 'models',
  replies: {
    200: {
      type: 'object',
      required: ['data', 'object'],
      properties: { data: { type: 'array', items: MODEL_OBJECT_SCHEMA }, object: { const: 'list' } },
      examples: [{ data: MODEL_OBJECT_SCHEMA.examples, object: 'list' }],
    },
  },
  errors: [],

  handle({ mayUse = () => true }) {
    const now = nowMs();
    const statuses = engine.models().filter(({ servedName }) => mayUse(servedName));
    const data = statuses.map((status) => modelObject(status, now));
    return { body: JSON.stringify({ data, object: 'list' }) };
  },
});
