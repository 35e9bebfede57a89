import type { Registry } from 'prom-client';
import type { VectorStoreUse } from '../../contracts/vector-store.ts';
import { counter, gauge, openCounter, openGauge } from './metric-definition.ts';

export const VECTOR_CACHE_METRICS = {
  hits: counter('infinity_vector_cache_hits_total', 'Vectors that a model asked a store for and got.', [
    'store',
    'model',
  ]),
  misses: counter(
    'infinity_vector_cache_misses_total',
    'Vectors that it asked for and did not get: not known, late, or the store was bypassed. The next store is asked for them.',
    ['store', 'model'],
  ),
  entries: gauge('infinity_vector_cache_entries', 'Vectors that a store holds. Not known of Redis.', ['store']),
  bytes: gauge('infinity_vector_cache_bytes', 'Bytes that a store takes. Not known of Redis.', ['store']),
  limitBytes: gauge('infinity_vector_cache_limit_bytes', 'Bytes that it may take. Redis has a limit of its own.', [
    'store',
  ]),
  evictions: counter('infinity_vector_cache_evictions_total', 'Vectors that made room for others.', ['store']),
  errors: counter(
    'infinity_vector_cache_errors_total',
    'Lookups and writes that failed or were late, and damaged entries.',
    ['store'],
  ),
  bypassed: counter(
    'infinity_vector_cache_bypassed_total',
    'Lookups and writes that were left out because the store did not answer or did not keep up.',
    ['store'],
  ),
};

/** Returns the call that brings them up to date. */
export function openVectorCacheMetrics(registry: Registry, use: () => readonly VectorStoreUse[]): () => void {
  const hits = openCounter(registry, VECTOR_CACHE_METRICS.hits);
  const misses = openCounter(registry, VECTOR_CACHE_METRICS.misses);
  const entries = openGauge(registry, VECTOR_CACHE_METRICS.entries);
  const bytes = openGauge(registry, VECTOR_CACHE_METRICS.bytes);
  const limitBytes = openGauge(registry, VECTOR_CACHE_METRICS.limitBytes);
  const evictions = openCounter(registry, VECTOR_CACHE_METRICS.evictions);
  const errors = openCounter(registry, VECTOR_CACHE_METRICS.errors);
  const bypassed = openCounter(registry, VECTOR_CACHE_METRICS.bypassed);

  return () => {
    // The stores have the totals.
    for (const metric of [hits, misses, evictions, errors, bypassed]) metric.reset();
    for (const { store, counts, lookups } of use()) {
      for (const { model, ...asked } of lookups) {
        hits.inc({ store, model }, asked.hits);
        misses.inc({ store, model }, asked.misses);
      }
      if (counts.entries !== undefined) entries.set({ store }, counts.entries);
      if (counts.bytes !== undefined) bytes.set({ store }, counts.bytes);
      if (counts.limitBytes !== undefined) limitBytes.set({ store }, counts.limitBytes);
      evictions.inc({ store }, counts.evictions);
      errors.inc({ store }, counts.errors);
      bypassed.inc({ store }, counts.bypassed);
    }
  };
}
