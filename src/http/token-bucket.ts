/** What is left of an allowance, which grows with time up to that of one minute. Below 0 it is owed. */
export interface TokenBucket {
  readonly level: number;
  /** When that was. */
  readonly atMs: number;
}

const MINUTE_MS = 60_000;

/** A bucket that nobody has drawn from. */
export function fullBucket(perMinute: number, nowMs: number): TokenBucket {
  return { level: perMinute, atMs: nowMs };
}

/** The bucket as it is now. */
export function refill({ level, atMs }: TokenBucket, perMinute: number, nowMs: number): TokenBucket {
  const gained = (perMinute * Math.max(0, nowMs - atMs)) / MINUTE_MS;
  return { level: Math.min(perMinute, level + gained), atMs: Math.max(atMs, nowMs) };
}

/** The bucket after something was drawn from it, which may be more than it holds. */
export function draw({ level, atMs }: TokenBucket, amount: number): TokenBucket {
  return { level: level - amount, atMs };
}

/** Ms until it holds so much; 0 when it does. */
export function waitMs({ level }: TokenBucket, amount: number, perMinute: number): number {
  return Math.max(0, ((amount - level) * MINUTE_MS) / perMinute);
}
