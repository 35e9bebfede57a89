import { createClient, RESP_TYPES } from '@redis/client';
import { ServiceError } from '../contracts/errors.ts';
import type { Logger } from '../contracts/logger.ts';
import type { VectorStore } from '../contracts/vector-store.ts';
import { countLookups, newCounts } from './store-counts.ts';
import { withinMs } from './within-ms.ts';

/** Its number changes with the form of the values. */
const PREFIX = 'infinity:vectors:1:';
/** Vectors of models that nobody serves any more go away by themselves. */
const KEEP_S = 30 * 24 * 3600;
const CONNECT_MS = 5000;
const LONGEST_RECONNECT_MS = 5000;
/** A server that hangs must not keep this one from ending. */
const CLOSE_MS = 2000;
const SCAN_COUNT = 1000;

export interface RedisStoreOptions {
  /** `redis://` or `rediss://` (TLS), with user, password and database; checked by `readRedisUrl`. */
  readonly url: URL;
  readonly logger: Logger;
}

export interface RedisStore extends VectorStore {
  /** Resolves when it is connected for the first time. */
  readonly connected: Promise<void>;
}

/** Throws `invalid_settings`, without the text, which may hold a password. */
export function readRedisUrl(text: string, source: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ['redis:', 'rediss:'].includes(url.protocol) && url.hostname !== '') return url;
  throw new ServiceError(
    'invalid_settings',
    `${source}: expected redis://host:port or rediss://host:port, got another form`,
    {
      param: source,
    },
  );
}

/**
 * Keeps rows in a Redis or Valkey server that several machines share. It connects in the background and again whenever the
 * connection is lost; without one, lookups and writes reject at once. The server's own `maxmemory` bounds it.
 */
export function createRedisStore({ url, logger }: RedisStoreOptions): RedisStore {
  const place = `${url.host}${url.pathname}`;
  const counts = newCounts();
  const client = createClient({
    url: url.href,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_MS,
      reconnectStrategy: (retries) => Math.min(LONGEST_RECONNECT_MS, 100 * 2 ** Math.min(retries, 10)),
    },
  });
  const binary = client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
  client.on('error', (error: unknown) => logger.debug(`The vector cache's server (${place}): ${String(error)}`));
  const connected = client.connect().then(
    () => undefined,
    () => undefined,
  );

  async function* ownKeys(): AsyncGenerator<string[]> {
    for await (const keys of client.scanIterator({ MATCH: `${PREFIX}*`, COUNT: SCAN_COUNT })) yield keys;
  }

  async function countEntries(): Promise<number> {
    let entries = 0;
    for await (const keys of ownKeys()) entries += keys.length;
    return entries;
  }

  const known = () => ({ ...counts, entries: undefined, bytes: undefined, limitBytes: undefined });

  return {
    name: `redis, ${place}`,
    connected,
    async getMany(keys) {
      if (keys.length === 0) return [];
      const values = await binary.mGet(keys.map((key) => PREFIX + key));
      const rows = values.map((value) => rowOf(value));
      countLookups(counts, rows);
      return rows;
    },
    async setMany(entries) {
      if (entries.length === 0) return;
      // A pipeline, other than a command, would wait for the connection.
      if (!client.isReady) throw new Error('not connected');
      const commands = client.multi();
      for (const { key, row } of entries) commands.set(PREFIX + key, bytesOf(row), { EX: KEEP_S });
      await commands.execAsPipeline();
    },
    counts: known,
    async stats() {
      return { ...known(), entries: await countEntries() };
    },
    async clear() {
      for await (const keys of ownKeys()) if (keys.length > 0) await client.unlink(keys);
    },
    async close() {
      if (!client.isReady) return client.destroy();
      await withinMs(client.close(), CLOSE_MS).catch(() => client.destroy());
    },
  };
}

function bytesOf(row: Float32Array): Buffer {
  return Buffer.from(row.buffer, row.byteOffset, row.byteLength);
}

/** A copy of its own, where the numbers start at a multiple of four; `undefined` when they are not float32 numbers. */
function rowOf(value: unknown): Float32Array | undefined {
  if (!(value instanceof Buffer) || value.length % Float32Array.BYTES_PER_ELEMENT !== 0) return undefined;
  return new Float32Array(new Uint8Array(value).buffer);
}
