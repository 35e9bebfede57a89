import { ServiceError } from '../../../contracts/errors.ts';
import type { RouteFactory } from '../../route.ts';
import { MODEL_OBJECT_SCHEMA, modelObject } from './model-object.ts';

/** One model by its served name, which may hold slashes, raw or as `%2F`. */
export const model: RouteFactory = ({ engine, nowMs }) => ({
  method: 'GET',
  paths: ['/v1/models/*', '/models/*'],
  access: 'models',
  operationId: 'model',
  summary: 'Describe one model',
  tag: 'models',
  replies: { 200: MODEL_OBJECT_SCHEMA },
  errors: ['model_not_found'],

  handle({ wildcard, mayUse = () => true }) {
    const statuses = engine.models().filter(({ servedName }) => mayUse(servedName));
    const status = statuses.find(({ servedName }) => servedName === wildcard);
    if (status === undefined) {
      const names = statuses.map(({ servedName }) => `'${servedName}'`).join(', ');
      const message = `Model '${wildcard.slice(0, 200)}' is not served here; there are: ${names || 'none'}`;
      throw new ServiceError('model_not_found', message, { param: 'model' });
    }
    return { body: JSON.stringify(modelObject(status, nowMs())) };
  },
});
