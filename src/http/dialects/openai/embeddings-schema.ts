import { CACHE_FIELD } from '../../wants-cache.ts';
import { MODEL_FIELD } from '../fields/model-field.ts';
import { PROMPT_FIELDS } from '../fields/prompt-fields.ts';
import { textInputsField } from '../fields/texts-field.ts';
import { TRUNCATE_FIELD } from '../fields/truncate-field.ts';
import { unsupportedField } from '../fields/unsupported-field.ts';
import { SPARSE_PAIRS_SCHEMA, SPARSE_TOKENS_SCHEMA } from '../sparse-json.ts';
import { USAGE_SCHEMA } from '../usage.ts';

const MODEL = 'BAAI/bge-small-en-v1.5';

export const ENCODING_FORMAT_FIELD = {
  enum: ['float', 'base64', null],
  description: "`float` (the default): numbers. `base64`: the vector's bytes, float32 in little-endian order.",
} as const;

const EMBEDDING_DTYPES = ['float32', 'int8', 'uint8', 'binary', 'ubinary'] as const;

/** Unknown fields are ignored, and `null` is a field that was left out: clients send it for options nobody has set. */
export function embeddingsRequestSchema(maxItems: number) {
  return {
    type: 'object',
    required: ['input'],
    properties: {
      input: textInputsField(maxItems),
      model: MODEL_FIELD,
      cache: CACHE_FIELD,
      encoding_format: ENCODING_FORMAT_FIELD,
      dimensions: {
        type: ['integer', 'null'],
        minimum: 0,
        description: 'Cuts each vector to its first numbers and normalises it again; 0 keeps all.',
      },
      embedding_dtype: {
        enum: [...EMBEDDING_DTYPES, null],
        description:
          'What the numbers are: a float32, a byte for each (`int8`, `uint8`), or a bit for each (`ubinary`; `binary` is that less 128). As the server is set when absent.',
      },
      normalize: {
        type: ['boolean', 'null'],
        description:
          "`true`: gives each vector length 1. `false`: leaves it as the model's own modules make it, cut or not. When absent, only a cut vector is normalised again.",
      },
      truncate: TRUNCATE_FIELD,
      ...PROMPT_FIELDS,
      return_dense: { type: ['boolean', 'null'], description: 'Pooled vectors, as `embedding`.' },
      return_sparse: { type: ['boolean', 'null'], description: 'Weights of vocabulary entries, as `sparse`.' },
      return_colbert_vecs: {
        type: ['boolean', 'null'],
        description: 'A vector for each token, as `colbert_vecs` (as `embedding` where there is no pooled one).',
      },
      sparse_format: {
        enum: ['pairs', 'tokens', null],
        description: '`pairs` (the default): a list of `{index, value}`. `tokens`: an object of weights by token.',
      },
      modality: { enum: ['text', 'image', 'audio', null], description: 'Only `text` (the default) is served.' },
      user: { description: 'Ignored.' },
      late_chunking: unsupportedField(false),
      task: unsupportedField(''),
      embedding_type: unsupportedField('float'),
      truncate_prompt_tokens: unsupportedField(-1),
    },
    examples: [{ model: MODEL, input: ['The sky is blue.', 'Grass is green.'] }],
  } as const;
}

const NUMBERS = { type: 'array', items: { type: 'number' } } as const;
const BASE64 = { type: 'string', description: 'With `base64`.' } as const;
const TOKEN_ROWS = { type: 'array', items: NUMBERS, description: 'A row for each token.' } as const;

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
        required: ['object', 'index'],
        properties: {
          object: { const: 'embedding' },
          embedding: { anyOf: [NUMBERS, TOKEN_ROWS, BASE64] },
          colbert_vecs: { anyOf: [TOKEN_ROWS, BASE64] },
          sparse: { anyOf: [SPARSE_PAIRS_SCHEMA, SPARSE_TOKENS_SCHEMA] },
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
