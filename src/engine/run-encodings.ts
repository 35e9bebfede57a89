import { ServiceError } from '../contracts/errors.ts';
import type { Scheduler } from '../contracts/scheduler.ts';
import type { Encoding } from '../contracts/tokenizer.ts';

export interface RunResult {
  /** One row of the model's output for each item; shared, never to be changed. */
  readonly rows: readonly Float32Array[];
  /** Tokens of each item. */
  readonly lengths: readonly number[];
}

/**
 * Encodes and runs one request's items. Rejects with `request_cancelled` once the client has gone away, with
 * `invalid_request` when an item has no tokens at all (a model has nothing to say about it).
 */
export async function runEncodings(
  scheduler: Scheduler,
  encode: () => Promise<readonly Encoding[]>,
  signal: AbortSignal,
  param: string,
): Promise<RunResult> {
  refuseCancelled(signal);
  const encodings = await encode();
  refuseCancelled(signal);
  const lengths = encodings.map(({ ids }) => ids.length);
  if (lengths.includes(0)) {
    throw new ServiceError('invalid_request', `'${param}' holds a text without tokens: expected at least one token`, {
      param,
    });
  }
  return { rows: await scheduler.submit(encodings, { signal }), lengths };
}

function refuseCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new ServiceError('request_cancelled', 'The request was cancelled');
}
