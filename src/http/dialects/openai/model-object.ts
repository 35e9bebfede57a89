import type { ModelStatus } from '../../../contracts/engine.ts';

const EXAMPLE = {
  id: 'BAAI/bge-small-en-v1.5',
  stats: { queue_fraction: 0, queue_absolute: 0, results_pending: 0, batch_size: 32 },
  object: 'model',
  owned_by: 'infinity',
  created: 1796063637,
  backend: 'torch',
  capabilities: ['embed'],
  state: 'ready',
} as const;

export const MODEL_STATE_SCHEMA = {
  enum: ['unloaded', 'loading', 'ready', 'failed'],
  description: '`unloaded`: not in memory; the next request loads it.',
};

/**
 * OpenAI's model object with the original's additions, and ours: `state`, `reason`, `retry_in_s`, `revision`, `precision`,
 * `variant`, `quality`; as JSON Schema.
 */
export const MODEL_OBJECT_SCHEMA = {
  type: 'object',
  required: ['id', 'stats', 'object', 'owned_by', 'created', 'backend', 'capabilities', 'state'],
  properties: {
    id: { type: 'string', description: 'Served name: what a request puts into `model`.' },
    stats: {
      type: 'object',
      required: ['queue_fraction', 'queue_absolute', 'results_pending', 'batch_size'],
      properties: {
        queue_fraction: { type: 'number', description: '`queue_absolute` as a part of `--queue-size`.' },
        queue_absolute: { type: 'integer', description: 'Items that wait.' },
        results_pending: { type: 'integer', description: 'Items in a run now.' },
        batch_size: { type: 'integer' },
      },
    },
    object: { const: 'model' },
    owned_by: { const: 'infinity' },
    created: { type: 'integer', description: 'Unix seconds, of this reply.' },
    backend: { type: 'string' },
    precision: {
      enum: ['float32', 'float16', 'bfloat16', 'int8'],
      description: 'In which numbers the graph computes; once it is ready.',
    },
    variant: { type: 'string', description: 'How a quantised graph is quantised.' },
    quality: {
      type: 'object',
      description: 'How far a quantised graph is from float32, over the texts of its check.',
      properties: {
        texts: { type: 'integer' },
        leastCosine: { type: 'number' },
        medianCosine: { type: 'number' },
        greatestScoreDifference: { type: 'number' },
      },
    },
    capabilities: { type: 'array', items: { type: 'string' } },
    state: MODEL_STATE_SCHEMA,
    reason: { type: 'string', description: 'Why it failed.' },
    retry_in_s: { type: 'integer', description: 'In how many seconds loading it is tried again by itself.' },
    revision: {
      type: ['string', 'null'],
      description: 'Commit of the repository on the hub; null for local folders and bundled copies.',
    },
  },
  examples: [EXAMPLE],
} as const;

export function modelObject(status: ModelStatus, nowMs: number) {
  return {
    id: status.servedName,
    stats: {
      queue_fraction: status.queuedItems / status.maxQueuedItems,
      queue_absolute: status.queuedItems,
      results_pending: status.runningItems,
      batch_size: status.batchSize,
    },
    object: 'model',
    owned_by: 'infinity',
    created: Math.floor(nowMs / 1000),
    backend: status.engine,
    precision: status.precision,
    variant: status.variant,
    quality: status.quality,
    capabilities: status.capabilities,
    state: status.state,
    reason: status.reason,
    retry_in_s: status.retryInS,
    revision: status.revision ?? null,
  };
}
