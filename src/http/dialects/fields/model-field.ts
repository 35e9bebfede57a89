import type { ModelRequest } from '../../../contracts/engine.ts';

/** What the original's own client sends when its user has named no model. */
const UNNAMED = 'default/not-specified';

/** The `model` field of a request body; as JSON Schema. */
export const MODEL_FIELD = {
  type: ['string', 'null'],
  description: 'Served name, as `GET /v1/models` lists it.',
} as const;

/** The served name that the client asked for; `undefined` when it named none. */
export function requestedModel(model: string | null | undefined): string | undefined {
  return model === null || model === UNNAMED ? undefined : model;
}

/** On routes of protocols that know one model: an unnamed request means the first that can do it. */
export function requestedOrFirst(model: string | null | undefined): Pick<ModelRequest, 'model' | 'unnamed'> {
  return { model: requestedModel(model), unnamed: 'first' };
}
