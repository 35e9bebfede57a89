import { createDiskStore } from '../../cache/disk/disk-store.ts';
import { createRedisStore, readRedisUrl } from '../../cache/redis-store.ts';
import { withinMs } from '../../cache/within-ms.ts';
import { ServiceError } from '../../contracts/errors.ts';
import type { Logger } from '../../contracts/logger.ts';
import type { VectorStore, VectorStoreStats } from '../../contracts/vector-store.ts';
import { createLogger } from '../../observability/create-logger.ts';
import { SETTINGS } from '../../settings/schema.ts';
import type { ServeSettings } from '../../settings/serve-settings.ts';
import { flagOf } from '../../settings/setting-entry.ts';
import { vectorFolder } from './vector-folder.ts';

const CONNECT_MS = 5000;

export type InspectSettings = Pick<ServeSettings, 'vectorDiskCacheBytes' | 'vectorCacheUrl'>;

export interface StoreReport extends Pick<VectorStoreStats, 'entries' | 'bytes' | 'limitBytes'> {
  readonly name: string;
}

/** What the stores that outlive a server hold; empties them first when `clear` is true. Rejects with a `ServiceError`. */
export async function inspectVectorCache(
  settings: InspectSettings,
  environment: NodeJS.ProcessEnv,
  { clear }: { readonly clear: boolean },
): Promise<readonly StoreReport[]> {
  const logger = createLogger({ level: 'error' });
  const reports: StoreReport[] = [];
  for (const store of await openStores(settings, environment, logger)) {
    try {
      if (clear) await store.clear();
      const { entries, bytes, limitBytes } = await store.stats();
      reports.push({ name: store.name, entries, bytes, limitBytes });
    } finally {
      await store.close();
    }
  }
  return reports;
}

async function openStores(
  { vectorDiskCacheBytes, vectorCacheUrl }: InspectSettings,
  environment: NodeJS.ProcessEnv,
  logger: Logger,
): Promise<readonly VectorStore[]> {
  const source = flagOf(SETTINGS.vectorCacheUrl);
  const url = vectorCacheUrl === undefined ? undefined : readRedisUrl(vectorCacheUrl, source);
  const folder = vectorFolder(environment);
  const disk = folder === undefined ? [] : [createDiskStore({ folder, limitBytes: vectorDiskCacheBytes, logger })];
  if (url === undefined) return disk;
  const redis = createRedisStore({ url, logger });
  try {
    await withinMs(redis.connected, CONNECT_MS);
  } catch (error) {
    await redis.close();
    const message = `${source}: no connection to ${url.host} within ${CONNECT_MS / 1000} s`;
    throw new ServiceError('address_unavailable', message, { cause: error });
  }
  return [...disk, redis];
}
