import type { SettingEntry } from '../setting-entry.ts';

/** When models are in memory, and how a server starts and ends. */
export const LIFECYCLE_SETTINGS = {
  failFast: {
    option: 'fail-fast',
    scope: 'server',
    group: 'Lifecycle',
    kind: 'boolean',
    default: false,
    description: 'End the server when a model cannot be loaded at the start, although others can',
  },
  shutdownGraceS: {
    option: 'shutdown-grace',
    scope: 'server',
    group: 'Lifecycle',
    kind: 'integer',
    default: 120,
    min: 0,
    max: 86_400,
    description:
      'Seconds that the requests in hand get after SIGTERM; whatever ends the process must wait a little longer',
  },
  lazyLoad: {
    option: 'lazy-load',
    scope: 'model',
    group: 'Lifecycle',
    kind: 'boolean',
    default: false,
    description: 'Load the model for its first request; at the start, its files are only fetched and compiled',
  },
  idleUnloadMinutes: {
    option: 'idle-unload',
    scope: 'server',
    group: 'Lifecycle',
    kind: 'integer',
    default: 0,
    min: 0,
    max: 10_000,
    description: 'Minutes without a request after which a model is dropped from memory until the next one; 0 keeps it',
  },
  maxMemoryBytes: {
    option: 'max-memory',
    scope: 'server',
    group: 'Lifecycle',
    kind: 'integer',
    default: 0,
    min: 0,
    description:
      'The most memory that the models take together, in bytes; to load one for a request, the least recently used ones are dropped; 0 sets no limit',
  },
  loadWaitS: {
    option: 'load-wait',
    scope: 'server',
    group: 'Lifecycle',
    kind: 'integer',
    default: 60,
    min: 0,
    max: 86_400,
    description: 'Seconds that a request waits for a model that is loaded for it, after which it gets 503',
  },
} as const satisfies Record<string, SettingEntry>;
