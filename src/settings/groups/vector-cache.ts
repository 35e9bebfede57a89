import type { SettingEntry } from '../setting-entry.ts';

/** Where computed vectors are kept. */
export const VECTOR_CACHE_SETTINGS = {
  vectorDiskCache: {
    option: 'vector-disk-cache',
    scope: 'model',
    group: 'Vector cache',
    kind: 'boolean',
    default: false,
    description: 'Keeps what the model has computed in files, and answers from them',
  },
  vectorDiskCacheBytes: {
    option: 'vector-disk-cache-bytes',
    scope: 'server',
    group: 'Vector cache',
    kind: 'integer',
    default: 1024 * 1024 * 1024,
    min: 1024 * 1024,
    description: 'The most that the files of the vector cache take, those of all models together',
  },
  vectorMemoryCacheBytes: {
    option: 'vector-memory-cache-bytes',
    scope: 'server',
    group: 'Vector cache',
    kind: 'integer',
    default: 0,
    min: 0,
    description: 'The most memory that computed vectors are kept in, those of all models together; 0 keeps none',
  },
  vectorCacheUrl: {
    option: 'vector-cache-url',
    scope: 'server',
    group: 'Vector cache',
    kind: 'string',
    placeholder: 'url',
    default: undefined,
    defaultText: 'none',
    description: 'A Redis or Valkey server that keeps computed vectors for several machines; rediss:// for TLS',
  },
} as const satisfies Record<string, SettingEntry>;
