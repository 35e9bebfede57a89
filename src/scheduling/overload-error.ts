import { ServiceError } from '../contracts/errors.ts';
import type { ExceededLimit } from './admission.ts';

/** The settings that the message names. */
const FLAGS = { tokens: '--max-queued-tokens', items: '--queue-size' } as const;
/** When nothing has run yet, nothing is known. */
const UNKNOWN_WAIT_S = 1;
/** A longer forecast is worth nothing: the queue will look otherwise by then. */
const LONGEST_WAIT_S = 60;

/** `overloaded`, with limit, load and a time to wait that follows from how fast the model is now. */
export function overloadError(
  model: string,
  { unit, limit, queued, added, tokensToServe }: ExceededLimit,
  tokensPerMs: number | undefined,
): ServiceError {
  const seconds = tokensPerMs === undefined ? UNKNOWN_WAIT_S : tokensToServe / tokensPerMs / 1000;
  const retryAfterS = Math.min(LONGEST_WAIT_S, Math.max(1, Math.ceil(seconds)));
  return new ServiceError(
    'overloaded',
    `model ${model} is currently overloaded: ${queued} ${unit} wait and this request adds ${added}, the limit is ${limit} (${FLAGS[unit]}). Try again in ${retryAfterS} s`,
    { retryAfterS },
  );
}
