import { CACHE_FIELD } from '../../wants-cache.ts';
import { COHERE_META_SCHEMA, cohereMeta } from '../cohere/meta.ts';
import { MODEL_FIELD } from '../fields/model-field.ts';
import { TRUNCATE_FIELD } from '../fields/truncate-field.ts';
import { unsupportedField } from '../fields/unsupported-field.ts';
import { USAGE_SCHEMA } from '../usage.ts';
import type { DocumentForm } from './document-form.ts';

const MODEL = 'cross-encoder/ms-marco-MiniLM-L-12-v2';

const DOCUMENT_OBJECT = { type: 'object', required: ['text'], properties: { text: { type: 'string' } } } as const;

/** Unknown fields are ignored, and `null` is a field that was left out: clients send it for options nobody has set. */
export function rerankRequestSchema(maxItems: number) {
  const items = { anyOf: [{ type: 'string' }, DOCUMENT_OBJECT] } as const;
  return {
    type: 'object',
    required: ['query', 'documents'],
    properties: {
      query: { type: 'string', description: 'Stripped of whitespace at both ends, as the documents are.' },
      documents: {
        anyOf: [{ type: 'string' }, { type: 'array', items, minItems: 1, maxItems }],
        description: 'Texts, or objects with a `text`.',
      },
      model: MODEL_FIELD,
      cache: CACHE_FIELD,
      return_documents: { type: ['boolean', 'null'], description: 'Gives each result its `document`.' },
      raw_scores: { type: ['boolean', 'null'], description: 'Logits instead of scores in 0..1.' },
      top_n: {
        type: ['integer', 'null'],
        minimum: 1,
        description: 'Keeps the best; all when absent or larger than the list.',
      },
      truncate: TRUNCATE_FIELD,
      rank_fields: unsupportedField(),
      max_tokens_per_doc: unsupportedField(),
      max_chunks_per_doc: unsupportedField(),
      user: { description: 'Ignored.' },
      priority: { description: 'Ignored.' },
    },
    examples: [
      {
        model: MODEL,
        query: 'Where is Munich?',
        documents: ['Munich is in Germany.', 'The sky is blue.'],
        return_documents: true,
      },
    ],
  } as const;
}

export interface RerankReplyDialect {
  readonly documentForm: DocumentForm;
  /** With it, the reply has Cohere's `meta`. */
  readonly apiVersion?: string;
}

/** Each form in which a document may come back. */
const DOCUMENTS = {
  string: { schema: { type: 'string' }, example: 'Munich is in Germany.' },
  object: { schema: DOCUMENT_OBJECT, example: { text: 'Munich is in Germany.' } },
} as const satisfies Record<DocumentForm, unknown>;

export function rerankReplySchema(dialect: RerankReplyDialect) {
  const { schema, example } = DOCUMENTS[dialect.documentForm];
  return {
    description: 'Best first; `document` only with `return_documents`.',
    type: 'object',
    required: ['object', 'results', 'model', 'usage', 'id', 'created'],
    properties: {
      object: { const: 'rerank' },
      results: {
        type: 'array',
        items: {
          type: 'object',
          required: ['relevance_score', 'index'],
          properties: {
            relevance_score: { type: 'number' },
            index: { type: 'integer', description: "Position in the request's documents." },
            document: schema,
          },
        },
      },
      model: { type: 'string' },
      usage: USAGE_SCHEMA,
      id: { type: 'string' },
      created: { type: 'integer', description: 'Unix seconds.' },
      ...(dialect.apiVersion === undefined ? {} : { meta: COHERE_META_SCHEMA }),
    },
    examples: [
      {
        object: 'rerank',
        results: [{ relevance_score: 0.9987, index: 0, document: example }],
        model: MODEL,
        usage: { prompt_tokens: 28, total_tokens: 28 },
        id: 'infinity-5a1e1b5e-0f0f-4f57-9a8b-0c9f2f5f2f10',
        created: 1796063637,
        ...(dialect.apiVersion === undefined ? {} : { meta: cohereMeta(dialect.apiVersion, { search_units: 1 }) }),
      },
    ],
  } as const;
}
