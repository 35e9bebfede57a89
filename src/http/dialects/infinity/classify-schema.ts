import { CACHE_FIELD } from '../../wants-cache.ts';
import { MODEL_FIELD } from '../fields/model-field.ts';
import { textsField } from '../fields/texts-field.ts';
import { TRUNCATE_FIELD } from '../fields/truncate-field.ts';
import { LABELS_SCHEMA } from '../labels-json.ts';
import { USAGE_SCHEMA } from '../usage.ts';

const MODEL = 'SamLowe/roberta-base-go_emotions';

/** Unknown fields are ignored, and `null` is a field that was left out: clients send it for options nobody has set. */
export function classifyRequestSchema(maxItems: number) {
  return {
    type: 'object',
    required: ['input'],
    properties: {
      input: textsField(maxItems),
      model: MODEL_FIELD,
      cache: CACHE_FIELD,
      raw_scores: { type: ['boolean', 'null'], description: 'Logits instead of scores.' },
      truncate: TRUNCATE_FIELD,
    },
    examples: [{ model: MODEL, input: ['I like this.', 'I do not.'] }],
  } as const;
}

export const CLASSIFY_REPLY_SCHEMA = {
  description: 'For each text, in the order of the request, every label of the model: best first.',
  type: 'object',
  required: ['object', 'data', 'model', 'usage', 'id', 'created'],
  properties: {
    object: { const: 'classify' },
    data: { type: 'array', items: LABELS_SCHEMA },
    model: { type: 'string' },
    usage: USAGE_SCHEMA,
    id: { type: 'string' },
    created: { type: 'integer', description: 'Unix seconds.' },
  },
  examples: [
    {
      object: 'classify',
      data: [
        [
          { score: 0.75, label: 'positive' },
          { score: 0.25, label: 'negative' },
        ],
      ],
      model: MODEL,
      usage: { prompt_tokens: 6, total_tokens: 6 },
      id: 'infinity-5a1e1b5e-0f0f-4f57-9a8b-0c9f2f5f2f10',
      created: 1796063637,
    },
  ],
} as const;
