import { createHash } from 'node:crypto';

/** What a key may be good for. */
export const SCOPES = ['embed', 'rerank', 'classify', 'tokenize', 'models', 'metrics', 'docs'] as const;

export type Scope = (typeof SCOPES)[number];

/** 0 is no limit, and absent what holds for all keys. */
export interface RateLimits {
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
}

/** A client's key: what is kept of it, and what it opens. */
export interface ApiKey {
  /** Unique. Shown in logs and errors, which never show the key. */
  readonly name: string;
  /** `keyDigest` of the key. */
  readonly digest: Uint8Array;
  /** All of them when absent. */
  readonly scopes?: readonly Scope[];
  /** Served names of the models that it may use; all of them when absent. */
  readonly models?: readonly string[];
  readonly limits?: RateLimits;
}

/** SHA-256: keys are compared, and may be kept in files, in this form only. */
export function keyDigest(key: Uint8Array | string): Uint8Array {
  return createHash('sha256').update(key).digest();
}
