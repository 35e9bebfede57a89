import type { Registry } from 'prom-client';
import type { ModelState, ModelStatus } from '../../contracts/engine.ts';
import { gauge, openGauge } from './metric-definition.ts';

export const MODEL_METRICS = {
  state: gauge('infinity_model_state', '1 for the state that the model is in, 0 for the others.', ['model', 'state']),
  info: gauge('infinity_model_info', 'Always 1; what the model is, in its labels.', [
    'model',
    'engine',
    'precision',
    'variant',
    'architecture',
  ]),
  queuedItems: gauge('infinity_queued_items', 'Items that wait for a run.', ['model']),
  queuedTokens: gauge('infinity_queued_tokens', 'Their tokens: the work that waits, to scale by.', ['model']),
  queueItemsLimit: gauge('infinity_queue_items_limit', 'Items above which requests are refused with 429.', ['model']),
  queueTokensLimit: gauge('infinity_queue_tokens_limit', 'Tokens above which requests are refused with 429.', [
    'model',
  ]),
  runningItems: gauge('infinity_running_items', 'Items in a run.', ['model']),
};

const STATES = { unloaded: true, loading: true, ready: true, failed: true } satisfies Record<ModelState, true>;

export interface ModelSource {
  readonly models: () => readonly ModelStatus[];
  /** Of each model. */
  readonly maxQueuedTokens: number;
}

/** Returns the call that brings the gauges up to date. */
export function openModelMetrics(registry: Registry, { models, maxQueuedTokens }: ModelSource): () => void {
  const state = openGauge(registry, MODEL_METRICS.state);
  const info = openGauge(registry, MODEL_METRICS.info);
  const queuedItems = openGauge(registry, MODEL_METRICS.queuedItems);
  const queuedTokens = openGauge(registry, MODEL_METRICS.queuedTokens);
  const queueItemsLimit = openGauge(registry, MODEL_METRICS.queueItemsLimit);
  const queueTokensLimit = openGauge(registry, MODEL_METRICS.queueTokensLimit);
  const runningItems = openGauge(registry, MODEL_METRICS.runningItems);

  return () => {
    // What a model is becomes known while it loads: the series of before must not stay.
    info.reset();
    for (const status of models()) {
      const model = status.servedName;
      for (const each of Object.keys(STATES)) state.set({ model, state: each }, each === status.state ? 1 : 0);
      const { engine, precision = '', variant = '', details } = status;
      info.set({ model, engine, precision, variant, architecture: details?.architecture ?? '' }, 1);
      queuedItems.set({ model }, status.queuedItems);
      queuedTokens.set({ model }, status.queuedTokens);
      queueItemsLimit.set({ model }, status.maxQueuedItems);
      queueTokensLimit.set({ model }, maxQueuedTokens);
      runningItems.set({ model }, status.runningItems);
    }
  };
}
