import { setTimeout as delay } from 'node:timers/promises';

/** A try that failed in a way that another may not. */
export class TemporaryFailure extends Error {
  /** What to give up with. */
  readonly failure: Error;
  /** How long the other side asked to wait. */
  readonly retryAfterMs: number | undefined;
  /** Something was gained before it failed, so the count starts anew. */
  readonly progressed: boolean;

  constructor(
    failure: Error,
    { retryAfterMs, progressed = false }: { retryAfterMs?: number | undefined; progressed?: boolean } = {},
  ) {
    super(failure.message);
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
    this.progressed = progressed;
  }
}

export interface RetryOptions {
  /** Tries without any gain before it gives up. */
  readonly attempts: number;
  readonly signal: AbortSignal;
  readonly onRetry?: (failure: Error, waitMs: number) => void;
  readonly sleep?: (waitMs: number, signal: AbortSignal) => Promise<void>;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 20_000;
/** The hub's limits are per five minutes; nobody waits for longer than this without a word. */
const LONGEST_ASKED_WAIT_MS = 60_000;

/** Waits double; half of each is chance, so that many servers do not come back at one moment. */
export function retryWaitMs(failures: number, retryAfterMs: number | undefined, random: number): number {
  if (retryAfterMs !== undefined) return Math.min(retryAfterMs, LONGEST_ASKED_WAIT_MS);
  const longest = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
  return longest * (0.5 + random / 2);
}

/** `retry-after` in seconds or as a date. */
export function parseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}

/** Calls `attempt` until it succeeds, fails for good, or has failed `attempts` times in a row with a `TemporaryFailure`. */
export async function withRetries<Result>(attempt: () => Promise<Result>, options: RetryOptions): Promise<Result> {
  const sleep = options.sleep ?? ((waitMs, signal) => delay(waitMs, undefined, { signal }));
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TemporaryFailure)) throw error;
      if (error.progressed) failures = 1;
      if (failures >= options.attempts || options.signal.aborted) throw error.failure;
      const waitMs = retryWaitMs(failures, error.retryAfterMs, Math.random());
      options.onRetry?.(error.failure, waitMs);
      await sleep(waitMs, options.signal);
    }
  }
}
