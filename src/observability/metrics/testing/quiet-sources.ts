import type { MetricSources } from '../open-metrics.ts';

/** A service without models and without a cache. */
export const QUIET_SOURCES: MetricSources = {
  models: () => [],
  maxQueuedTokens: 1000,
  vectorCache: () => [],
  version: '1.2.3',
};
