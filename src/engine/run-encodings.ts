import type { RequestContext } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Demand, ItemRows, Scheduler } from '../contracts/scheduler.ts';
import type { Encoding } from '../contracts/tokenizer.ts';
import { holdRoom } from './hold-room.ts';

export interface RunRequest {
  readonly encode: () => Promise<readonly Encoding[]>;
  /** What the items will be, before they are encoded. */
  readonly estimate: Demand;
  readonly context: RequestContext;
  /** Field of the request that holds the texts. */
  readonly param: string;
  /** Positions of the outputs that are read. */
  readonly outputs: readonly number[];
}

export interface RunResult {
  /** A row of each of the model's outputs for each item; shared, never to be changed. */
  readonly items: readonly ItemRows[];
  /** What entered the model. */
  readonly encodings: readonly Encoding[];
}

/**
 * Encodes and runs one request's items. Rejects with `overloaded` when the queue has no room for them, with the signal's
 * reason once it aborts, with `invalid_request` when an item has no tokens at all (a model has nothing to say about it).
 */
export async function runEncodings(
  { scheduler }: { readonly scheduler: Scheduler },
  { encode, estimate, context, param, outputs }: RunRequest,
): Promise<RunResult> {
  const encodings = await holdRoom(scheduler, { work: encode, estimate, context });
  if (encodings.some(({ ids }) => ids.length === 0)) {
    throw new ServiceError('invalid_request', `'${param}' holds a text without tokens: expected at least one token`, {
      param,
    });
  }
  return { items: await scheduler.submit(encodings, { ...context, outputs }), encodings };
}
