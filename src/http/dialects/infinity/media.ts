import { bodyRoute, type Route, type RouteFactory, type RouteServices } from '../../route.ts';
import { MODEL_FIELD, requestedModel } from '../fields/model-field.ts';
import { mediaField, refuseMedia } from '../media-reference.ts';
import { MODEL_ERRORS } from '../model-errors.ts';
import { EMBEDDINGS_REPLY_SCHEMA, ENCODING_FORMAT_FIELD } from '../openai/embeddings-schema.ts';

/** The original's older routes of images and sounds. Validated; no model here takes either. */
function mediaRoute(modality: 'image' | 'audio', { engine, maxClientBatchSize }: RouteServices): Route {
  return bodyRoute({
    paths: [`/embeddings_${modality}`, `/v1/embeddings_${modality}`],
    access: 'embed',
    operationId: `embeddings_${modality}`,
    summary: `Turn ${modality === 'image' ? 'images' : 'sounds'} into vectors; no model of this version does`,
    tag: 'embeddings',
    body: {
      type: 'object',
      required: ['input'],
      properties: {
        input: mediaField(maxClientBatchSize),
        model: MODEL_FIELD,
        encoding_format: ENCODING_FORMAT_FIELD,
        user: { description: 'Ignored.' },
      },
      examples: [{ input: 'https://example.org/cat.png' }],
    } as const,
    replies: { 200: EMBEDDINGS_REPLY_SCHEMA },
    errors: MODEL_ERRORS,

    handle(body, call) {
      const model = requestedModel(body.model);
      return refuseMedia(engine, { model, modality, input: body.input, maxItems: maxClientBatchSize }, call);
    },
  });
}

export const embeddingsImage: RouteFactory = (services) => mediaRoute('image', services);
export const embeddingsAudio: RouteFactory = (services) => mediaRoute('audio', services);
