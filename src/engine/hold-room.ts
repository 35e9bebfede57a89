import type { RequestContext } from '../contracts/engine.ts';
import type { Demand, Scheduler } from '../contracts/scheduler.ts';
import { abortReason } from '../scheduling/abort-reason.ts';
import { untilAborted } from './until-aborted.ts';

export interface WorkOnTexts<T> {
  readonly work: () => Promise<T>;
  /** What its texts are to the queue. */
  readonly estimate: Demand;
  readonly context: RequestContext;
}

/**
 * Does the tokenizer's work for a request: holds room in the model's queue meanwhile, so that the texts that wait have a limit,
 * and stops waiting when nobody waits for the answer any more. Rejects with `overloaded` when there is no room.
 */
export async function holdRoom<T>(
  scheduler: Pick<Scheduler, 'reserve'>,
  { work, estimate, context }: WorkOnTexts<T>,
): Promise<T> {
  const { signal, work: known } = context;
  if (signal.aborted) throw abortReason(signal);
  const release = scheduler.reserve(estimate);
  const startMs = performance.now();
  try {
    return await untilAborted(work(), signal);
  } finally {
    release();
    if (known !== undefined) known.tokenize = { startMs, endMs: performance.now() };
  }
}
