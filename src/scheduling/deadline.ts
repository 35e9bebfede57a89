import { ServiceError } from '../contracts/errors.ts';

/**
 * Whether a request cannot be answered by its deadline even if what waits of it had the model for itself from now on, at the
 * best speed that it has shown. It is only given up when its work would be thrown away.
 */
export function isHopeless(
  deadlineMs: number,
  nowMs: number,
  queuedTokens: number,
  bestTokensPerMs: number | undefined,
): boolean {
  const neededMs = bestTokensPerMs === undefined ? 0 : queuedTokens / bestTokensPerMs;
  return nowMs + neededMs > deadlineMs;
}

export function deadlineExceeded(): ServiceError {
  return new ServiceError('deadline_exceeded', 'The request cannot be answered within its time limit');
}
