import type { Demand } from '../contracts/scheduler.ts';

/** What may wait for one model. */
export interface QueueLimits {
  readonly maxQueuedTokens: number;
  readonly maxQueuedItems: number;
}

/** A request counts for at most this share of a limit, so that one of any size is taken once the queue has room again. */
const LARGEST_SHARE = 1 / 2;

export interface ExceededLimit {
  readonly unit: 'tokens' | 'items';
  readonly limit: number;
  readonly queued: number;
  /** Of the request. */
  readonly added: number;
  /** Tokens that must be served before the request would be taken. */
  readonly tokensToServe: number;
}

/**
 * The limit that a queue with this load would exceed if it took the request; `undefined` when it may be taken. A string and
 * a list of one are the same to it.
 */
export function exceededLimit(load: Demand, request: Demand, limits: QueueLimits): ExceededLimit | undefined {
  const excessTokens = excess(load.tokens, request.tokens, limits.maxQueuedTokens);
  if (excessTokens > 0) {
    return {
      unit: 'tokens',
      limit: limits.maxQueuedTokens,
      queued: load.tokens,
      added: request.tokens,
      tokensToServe: excessTokens,
    };
  }
  const excessItems = excess(load.items, request.items, limits.maxQueuedItems);
  if (excessItems <= 0) return undefined;
  return {
    unit: 'items',
    limit: limits.maxQueuedItems,
    queued: load.items,
    added: request.items,
    tokensToServe: Math.ceil((excessItems / load.items) * load.tokens),
  };
}

function excess(queued: number, added: number, limit: number): number {
  // An empty queue takes whatever comes, whatever the limit.
  if (queued === 0) return 0;
  return queued + Math.min(added, limit * LARGEST_SHARE) - limit;
}
