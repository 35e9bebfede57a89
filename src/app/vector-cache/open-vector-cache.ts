import { cachedScheduler } from '../../cache/cached-scheduler.ts';
import { countedLookups } from '../../cache/counted-lookups.ts';
import { createDiskStore } from '../../cache/disk/disk-store.ts';
import { guardStore } from '../../cache/guarded-store.ts';
import { layeredStore } from '../../cache/layered-store.ts';
import { createMemoryStore } from '../../cache/memory-store.ts';
import { createRedisStore, readRedisUrl } from '../../cache/redis-store.ts';
import type { LookupCounts } from '../../cache/store-counts.ts';
import type { CompiledModel } from '../../contracts/compiled-model.ts';
import type { Logger } from '../../contracts/logger.ts';
import type { Scheduler } from '../../contracts/scheduler.ts';
import type { VectorStore, VectorStoreUse } from '../../contracts/vector-store.ts';
import { SETTINGS } from '../../settings/schema.ts';
import type { ModelSettings, ServeSettings } from '../../settings/serve-settings.ts';
import { flagOf } from '../../settings/setting-entry.ts';
import { vectorFolder } from './vector-folder.ts';

type CacheSettings = Pick<
  ServeSettings,
  'models' | 'vectorMemoryCacheBytes' | 'vectorDiskCacheBytes' | 'vectorCacheUrl'
>;

export interface VectorCacheOptions {
  readonly environment: NodeJS.ProcessEnv;
  readonly logger: Logger;
}

/** The stores that a service was given, and which models use them. */
export interface VectorCache {
  /** The scheduler as it is, where the model has no store; else one that asks the stores first. */
  inFrontOf(scheduler: Scheduler, model: CompiledModel, settings: ModelSettings): Scheduler;
  /** What each store holds and was good for. */
  use(): readonly VectorStoreUse[];
  /** Finishes what is being written, and logs what the cache was good for. */
  close(): Promise<void>;
}

interface OpenStore {
  readonly kind: VectorStoreUse['store'];
  readonly store: VectorStore;
  /** By the model's served name. */
  readonly lookups: Map<string, LookupCounts>;
}

function open(kind: OpenStore['kind'], store: VectorStore): OpenStore {
  return { kind, store, lookups: new Map() };
}

/** Throws `invalid_settings` for an address of another form. What cannot be reached or written is used once it can be. */
export function openVectorCache(settings: CacheSettings, { environment, logger }: VectorCacheOptions): VectorCache {
  const shared = settings.vectorCacheUrl;
  const url = shared === undefined ? undefined : readRedisUrl(shared, flagOf(SETTINGS.vectorCacheUrl));
  const guard = (store: VectorStore) => guardStore(store, { logger });
  const memory =
    settings.vectorMemoryCacheBytes > 0 ? [open('memory', createMemoryStore(settings.vectorMemoryCacheBytes))] : [];
  const disk = settings.models.some((model) => model.vectorDiskCache)
    ? openDisk().map((store) => open('disk', guard(store)))
    : [];
  const redis = url === undefined ? [] : [open('redis', guard(createRedisStore({ url, logger })))];
  const all = [...memory, ...disk, ...redis];
  /** By the model's served name. */
  const uses = new Map<string, LookupCounts>();

  function openDisk(): VectorStore[] {
    const folder = vectorFolder(environment);
    if (folder !== undefined) return [createDiskStore({ folder, limitBytes: settings.vectorDiskCacheBytes, logger })];
    logger.warning('There is no folder for the vector cache: set INFINITY_HOME. Vectors are not kept on disk.');
    return [];
  }

  return {
    inFrontOf(scheduler, model, { servedModelName, vectorDiskCache }) {
      const stores = [...memory, ...(vectorDiskCache ? disk : []), ...redis];
      if (stores.length === 0) return scheduler;
      const counted = stores.map(({ store, lookups }) => countedLookups(store, countsOf(lookups, servedModelName)));
      return cachedScheduler(scheduler, { store: layeredStore(counted), model, use: countsOf(uses, servedModelName) });
    },
    use: () =>
      all.map(({ kind, store, lookups }) => ({
        store: kind,
        counts: store.counts(),
        lookups: [...lookups].map(([model, counts]) => ({ model, ...counts })),
      })),
    async close() {
      for (const [name, { hits, misses }] of uses) {
        logger.info(`Vector cache of '${name}': ${hits} items known, ${misses} computed.`);
      }
      for (const { store } of all) {
        logger.debug(`Vector cache (${store.name}).`, { ...(await store.stats()) });
        await store.close().catch(() => undefined);
      }
    },
  };
}

/** A model that is loaded again goes on counting. */
function countsOf(counts: Map<string, LookupCounts>, name: string): LookupCounts {
  const known = counts.get(name) ?? { hits: 0, misses: 0 };
  counts.set(name, known);
  return known;
}
