import type { SettingEntry } from '../setting-entry.ts';

/** What requests and the queue may take. */
export const LIMITS_SETTINGS = {
  maxBatchTokens: {
    option: 'max-batch-tokens',
    scope: 'server',
    group: 'Limits',
    kind: 'integer',
    default: 4096,
    min: 1,
    description: 'The most tokens that one run of a model takes; a single longer item still runs, alone',
  },
  maxQueuedTokens: {
    option: 'max-queued-tokens',
    scope: 'server',
    group: 'Limits',
    kind: 'integer',
    default: 2 * 2048 * 512,
    min: 1,
    description:
      'The most tokens that wait for one model, over which requests get 429; a single larger request is taken when half of that is free',
  },
  maxQueuedItems: {
    option: 'queue-size',
    scope: 'server',
    group: 'Limits',
    kind: 'integer',
    default: 32_000,
    min: 1,
    description: 'The most texts or documents that wait for one model, over which requests get 429',
  },
  requestsPerMinute: {
    option: 'requests-per-minute',
    scope: 'server',
    group: 'Limits',
    kind: 'integer',
    default: 0,
    min: 0,
    description:
      'Requests that each API key may make in a minute, over which they get 429, 0 for any number; a key file may say otherwise for a key, and without keys all clients count as one',
  },
  tokensPerMinute: {
    option: 'tokens-per-minute',
    scope: 'server',
    group: 'Limits',
    kind: 'integer',
    default: 0,
    min: 0,
    description:
      'The same for tokens; what a request takes beyond what is left of them has to come back before the next one is taken',
  },
  requestTimeoutS: {
    option: 'request-timeout',
    scope: 'server',
    group: 'Limits',
    kind: 'integer',
    default: 0,
    min: 0,
    description:
      'Seconds after which a request is given up with 504, 0 for never; a client shortens it by the header x-request-timeout',
  },
  runTimeoutS: {
    option: 'run-timeout',
    scope: 'server',
    group: 'Limits',
    kind: 'integer',
    default: 600,
    min: 0,
    max: 1_000_000,
    description:
      'Seconds without an answer after which an inference process is taken for hung and started again, 0 for never; a run that should take long by what runs cost on this machine gets 20 times that, a large model longer to open',
  },
  maxClientBatchSize: {
    option: 'max-client-batch-size',
    scope: 'server',
    group: 'Limits',
    kind: 'integer',
    default: 2048,
    min: 1,
    description: 'The most texts or documents that one request may hold',
  },
  bodyLimitBytes: {
    option: 'body-limit',
    scope: 'server',
    group: 'Limits',
    kind: 'integer',
    default: 64 * 1024 * 1024,
    min: 1,
    description: 'The largest request body, in bytes',
  },
} as const satisfies Record<string, SettingEntry>;
