import type { ApiKey, RateLimits } from '../contracts/api-key.ts';
import { ServiceError } from '../contracts/errors.ts';
import { draw, fullBucket, refill, type TokenBucket, waitMs } from './token-bucket.ts';

/** More keys than a file may have: what those had used that are gone is forgotten, the longest unused first. */
const MAX_CLIENTS = 2000;

/** What is asked of a client that has nothing of its own. */
const NOBODY = '';

interface Buckets {
  readonly requests: TokenBucket;
  readonly tokens: TokenBucket;
}

/**
 * Holds each key to its requests and tokens per minute, by its name; clients of a server without keys count as one. How many
 * tokens a request has is known when it is done, so one is let in while anything is left, and what it takes beyond that is owed.
 */
export class RateLimiter {
  readonly #defaults: RateLimits;
  readonly #nowMs: () => number;
  readonly #clients = new Map<string, Buckets>();

  constructor(defaults: RateLimits, nowMs: () => number = () => performance.now()) {
    this.#defaults = defaults;
    this.#nowMs = nowMs;
  }

  /** Counts a request. Throws `rate_limited`, with the time to wait. */
  admit(key: ApiKey | undefined): void {
    const { requestsPerMinute = 0, tokensPerMinute = 0 } = this.#limitsOf(key);
    if (requestsPerMinute === 0 && tokensPerMinute === 0) return;
    const { requests, tokens } = this.#bucketsOf(key);
    if (requestsPerMinute > 0) refuse(key, `${requestsPerMinute} requests`, waitMs(requests, 1, requestsPerMinute));
    if (tokensPerMinute > 0) refuse(key, `${tokensPerMinute} tokens`, waitMs(tokens, 1, tokensPerMinute));
    this.#set(key, { requests: draw(requests, 1), tokens });
  }

  /** Counts the tokens of a request that was admitted. */
  spend(key: ApiKey | undefined, amount: number): void {
    const { tokensPerMinute = 0 } = this.#limitsOf(key);
    if (tokensPerMinute === 0 || amount === 0) return;
    const { requests, tokens } = this.#bucketsOf(key);
    this.#set(key, { requests, tokens: draw(tokens, amount) });
  }

  #limitsOf(key: ApiKey | undefined): RateLimits {
    return { ...this.#defaults, ...key?.limits };
  }

  #bucketsOf(key: ApiKey | undefined): Buckets {
    const { requestsPerMinute = 0, tokensPerMinute = 0 } = this.#limitsOf(key);
    const nowMs = this.#nowMs();
    const known = this.#clients.get(key?.name ?? NOBODY);
    return {
      requests: refill(known?.requests ?? fullBucket(requestsPerMinute, nowMs), requestsPerMinute, nowMs),
      tokens: refill(known?.tokens ?? fullBucket(tokensPerMinute, nowMs), tokensPerMinute, nowMs),
    };
  }

  #set(key: ApiKey | undefined, buckets: Buckets): void {
    const name = key?.name ?? NOBODY;
    this.#clients.delete(name);
    this.#clients.set(name, buckets);
    const [oldest] = this.#clients.keys();
    if (this.#clients.size > MAX_CLIENTS && oldest !== undefined) this.#clients.delete(oldest);
  }
}

function refuse(key: ApiKey | undefined, limit: string, untilMs: number): void {
  if (untilMs === 0) return;
  const retryAfterS = Math.ceil(untilMs / 1000);
  const who = key === undefined ? 'This server' : `API key '${key.name}'`;
  throw new ServiceError(
    'rate_limited',
    `${who}: expected at most ${limit} per minute, got more; wait ${retryAfterS} s`,
    {
      retryAfterS,
    },
  );
}
