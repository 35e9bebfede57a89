import { Registry } from 'prom-client';
import type { RequestObserver } from '../../contracts/finished-request.ts';
import type { VectorStoreUse } from '../../contracts/vector-store.ts';
import { openBuildInfo } from './build-info.ts';
import { openHttpMetrics } from './http-metrics.ts';
import { openKeyMetrics } from './key-metrics.ts';
import { openLaneMetrics, type WatchedLanes } from './lane-metrics.ts';
import { type ModelSource, openModelMetrics } from './model-metrics.ts';
import { openProcessMetrics } from './process-metrics.ts';
import { type ObserveRun, openRunMetrics } from './run-metrics.ts';
import { openVectorCacheMetrics } from './vector-cache-metrics.ts';
import { openWorkMetrics } from './work-metrics.ts';

export interface MetricSources extends ModelSource {
  readonly vectorCache: () => readonly VectorStoreUse[];
  /** Of the package. */
  readonly version: string;
}

export interface Metrics {
  readonly observers: readonly RequestObserver[];
  readonly observeRun: ObserveRun;
  readonly watchLane: WatchedLanes['watch'];
  readonly contentType: string;
  /** All of them as they are now, in Prometheus' text format. */
  render(): Promise<string>;
}

/** Counts in a registry of its own: two services in one process do not meet. */
export function openMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  openBuildInfo(registry, sources.version);
  const observers = [openHttpMetrics(registry), openKeyMetrics(registry), openWorkMetrics(registry)];
  const updateModels = openModelMetrics(registry, sources);
  const observeRun = openRunMetrics(registry);
  const lanes = openLaneMetrics(registry);
  const updateVectorCache = openVectorCacheMetrics(registry, sources.vectorCache);
  const updateProcesses = openProcessMetrics(registry, lanes);

  return {
    observers,
    observeRun,
    watchLane: lanes.watch,
    contentType: registry.contentType,
    async render() {
      await updateProcesses();
      updateModels();
      lanes.update();
      updateVectorCache();
      return registry.metrics();
    },
  };
}
