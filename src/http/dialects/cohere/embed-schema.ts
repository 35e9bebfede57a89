import { CACHE_FIELD } from '../../wants-cache.ts';
import { MODEL_FIELD } from '../fields/model-field.ts';
import { INPUT_TYPE_FIELD } from '../fields/prompt-fields.ts';
import { textListField } from '../fields/texts-field.ts';
import { COHERE_TRUNCATE_FIELD } from '../fields/truncate-field.ts';
import { unsupportedField } from '../fields/unsupported-field.ts';
import { COHERE_META_SCHEMA, cohereMeta } from './meta.ts';

const MODEL = 'BAAI/bge-small-en-v1.5';

/** Cohere's names; `base64` is that of the float32 numbers. */
const EMBEDDING_TYPES = ['float', 'int8', 'uint8', 'binary', 'ubinary', 'base64'] as const;
export type EmbeddingType = (typeof EMBEDDING_TYPES)[number];

const COMMON_FIELDS = {
  model: MODEL_FIELD,
  cache: CACHE_FIELD,
  input_type: INPUT_TYPE_FIELD,
  embedding_types: {
    type: ['array', 'null'],
    items: { enum: EMBEDDING_TYPES },
    maxItems: EMBEDDING_TYPES.length,
    description: 'Which forms of each vector come back, all from one run.',
  },
  truncate: COHERE_TRUNCATE_FIELD,
  images: unsupportedField(),
  priority: { description: 'Ignored.' },
} as const;

export function embedV1Schema(maxItems: number) {
  return {
    type: 'object',
    required: ['texts'],
    properties: { texts: textListField(maxItems), ...COMMON_FIELDS },
    examples: [{ model: MODEL, texts: ['The sky is blue.'], input_type: 'search_document' }],
  } as const;
}

const TEXT_PART = {
  type: 'object',
  required: ['type', 'text'],
  properties: { type: { const: 'text' }, text: { type: 'string' } },
} as const;

export function embedV2Schema(maxItems: number) {
  const input = {
    type: 'object',
    required: ['content'],
    properties: { content: { type: 'array', items: TEXT_PART, minItems: 1, maxItems: 1 } },
  } as const;
  return {
    type: 'object',
    anyOf: [{ required: ['texts'] }, { required: ['inputs'] }],
    properties: {
      texts: { ...textListField(maxItems), type: ['array', 'null'] },
      inputs: {
        type: ['array', 'null'],
        items: input,
        minItems: 1,
        maxItems,
        description: 'In place of `texts`: each with one part, a text.',
      },
      ...COMMON_FIELDS,
      output_dimension: {
        type: ['integer', 'null'],
        minimum: 1,
        description: 'Cuts each vector to its first numbers and normalises it again.',
      },
      max_tokens: unsupportedField(),
    },
    examples: [
      { model: MODEL, texts: ['The sky is blue.'], input_type: 'search_document', embedding_types: ['float', 'int8'] },
    ],
  } as const;
}

const VECTORS = { type: 'array', items: { type: 'array', items: { type: 'number' } } } as const;
const INTEGERS = { type: 'array', items: { type: 'array', items: { type: 'integer' } } } as const;
const BY_TYPE = {
  type: 'object',
  properties: {
    float: VECTORS,
    int8: INTEGERS,
    uint8: INTEGERS,
    binary: INTEGERS,
    ubinary: INTEGERS,
    base64: { type: 'array', items: { type: 'string' } },
  },
} as const;

export function embedReplySchema(version: '1' | '2') {
  const isFirst = version === '1';
  return {
    description: 'Vectors in the order of the texts.',
    type: 'object',
    required: ['id', 'embeddings', 'texts', 'meta', ...(isFirst ? ['response_type'] : [])],
    properties: {
      ...(isFirst ? { response_type: { enum: ['embeddings_floats', 'embeddings_by_type'] } } : {}),
      id: { type: 'string' },
      embeddings: isFirst ? { anyOf: [VECTORS, BY_TYPE] } : BY_TYPE,
      texts: { type: 'array', items: { type: 'string' } },
      meta: COHERE_META_SCHEMA,
    },
    examples: [
      {
        ...(isFirst ? { response_type: 'embeddings_floats' } : {}),
        id: 'infinity-5a1e1b5e-0f0f-4f57-9a8b-0c9f2f5f2f10',
        embeddings: isFirst ? [[0.0123, -0.0456]] : { float: [[0.0123, -0.0456]] },
        texts: ['The sky is blue.'],
        meta: cohereMeta(version, { input_tokens: 6 }),
      },
    ],
  };
}
