import { CACHE_FIELD } from '../../wants-cache.ts';
import { MODEL_FIELD } from '../requested-model.ts';
import { textsField } from '../texts-field.ts';
import { USAGE_SCHEMA } from '../usage.ts';

const MODEL = 'BAAI/bge-small-en-v1.5';

/** Unknown fields are ignored, and `null` is a field that was left out: clients send it for options nobody has set. */
export function embeddingsRequestSchema(maxItems: number) {
  return {
    type: 'object',
    required: ['input'],
    properties: {
      input: textsField(maxItems),
      model: MODEL_FIELD,
      cache: CACHE_FIELD,
      encoding_format: {
        enum: ['float', 'base64', null],
        description: '`float` (the default): numbers. `base64`: the bytes of the little-endian float32 numbers.',
      },
      dimensions: {
        type: ['integer', 'null'],
        minimum: 0,
        description: 'Cuts each vector to its first numbers and normalises it again; 0 keeps all.',
      },
      modality: { enum: ['text', 'image', 'audio', null], description: 'Only `text` (the default) is served.' },
      user: { description: 'Ignored.' },
    },
    examples: [{ model: MODEL, input: ['The sky is blue.', 'Grass is green.'] }],
  } as const;
}

export const EMBEDDINGS_REPLY_SCHEMA = {
  description: 'One embedding per text, in the order of the request.',
  type: 'object',
  required: ['object', 'data', 'model', 'usage', 'id', 'created'],
  properties: {
    object: { const: 'list' },
    data: {
      type: 'array',
      items: {
        type: 'object',
        required: ['object', 'embedding', 'index'],
        properties: {
          object: { const: 'embedding' },
          embedding: {
            anyOf: [
              { type: 'array', items: { type: 'number' } },
              { type: 'string', description: 'With `base64`.' },
            ],
          },
          index: { type: 'integer' },
        },
      },
    },
    model: { type: 'string' },
    usage: USAGE_SCHEMA,
    id: { type: 'string' },
    created: { type: 'integer', description: 'Unix seconds.' },
  },
  examples: [
    {
      object: 'list',
      data: [{ object: 'embedding', embedding: [0.0123, -0.0456], index: 0 }],
      model: MODEL,
      usage: { prompt_tokens: 7, total_tokens: 7 },
      id: 'infinity-5a1e1b5e-0f0f-4f57-9a8b-0c9f2f5f2f10',
      created: 1796063637,
    },
  ],
} as const;
