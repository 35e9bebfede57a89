import type { RunCosts } from './run-costs.ts';

export interface RunBudget {
  /** Tokens of a run: items x length. A single longer item still gets a run, of its own. */
  readonly maxBatchTokens: number;
  readonly maxBatchItems: number;
}

/**
 * A run of this many times its fixed part loses 3 % to it. A larger one gains nothing: at 4096 tokens it is even 10 % slower
 * than at 512, since what passes between the operators no longer fits the caches; and all others wait for it.
 */
const ENOUGH_FIXED_PARTS = 32;
/** Where the fixed part is large, grouping stops earlier, so that a short request never waits long for a run in hand. */
const PATIENCE_MS = 200;
/** But a run is never so short that it is mostly its fixed part. */
const LEAST_FIXED_PARTS = 8;

/** How many items of a length make a run: as many as pay within the budget, at least 1. */
export function runSize(length: number, { maxBatchTokens, maxBatchItems }: RunBudget, costs: RunCosts): number {
  const { fixedMs, msPerToken, msPerPair } = costs;
  const longestMs = Math.max(LEAST_FIXED_PARTS * fixedMs, Math.min(ENOUGH_FIXED_PARTS * fixedMs, PATIENCE_MS));
  const itemMs = length * (msPerToken + length * msPerPair);
  const paying = (longestMs - fixedMs) / itemMs;
  return Math.max(1, Math.floor(Math.min(maxBatchItems, maxBatchTokens / length, paying)));
}
