import type { ServiceError } from './errors.ts';
import type { RequestWork } from './request-work.ts';
import type { Encoding } from './tokenizer.ts';

export interface SubmitOptions {
  /** Drops the items that have not started; `submit` then rejects with the signal's reason, or with `request_cancelled`. */
  readonly signal?: AbortSignal;
  /** On the clock of `performance.now()`, in ms: `submit` rejects with `deadline_exceeded` once it can no longer be met. */
  readonly deadlineMs?: number | undefined;
  /** False: neither take what was computed before nor keep what is computed now. */
  readonly cache?: boolean | undefined;
  /** Gets when its items waited and ran. */
  readonly work?: RequestWork | undefined;
  /** Positions of the outputs that will be read; rows of others may be empty. All where none are given. */
  readonly outputs?: readonly number[] | undefined;
}

/** What a request brings to a queue. */
export interface Demand {
  readonly items: number;
  readonly tokens: number;
}

export interface SchedulerLoad {
  readonly queuedItems: number;
  readonly queuedTokens: number;
  /** Items in a run now. */
  readonly runningItems: number;
}

/** A run of one of the model's lanes that has come back. */
export interface RunReport {
  readonly items: number;
  readonly tokens: number;
  /** What was computed beside them to fill the run up to the length of its longest item. */
  readonly paddingTokens: number;
  /** That the lane took for it. */
  readonly ms: number;
  readonly failed: boolean;
}

/**
 * What came out for one item: a row for each of the model's outputs, in their order; `[width]`, or `[rows * width]` per
 * token.
 */
export type ItemRows = readonly Float32Array[];

/** One queue per model, shared by all requests. Knows lengths and budgets, never text or HTTP. */
export interface Scheduler {
  /**
   * Holds room in the queue for a request whose items are still being made, by an estimate of them. Returns the call that
   * gives it up, to be made right before `submit`. Throws `overloaded` when the queue has no room.
   */
  reserve(estimate: Demand): () => void;
  /**
   * What came out for each item, in the order of the items; shared with whoever asked for the same ids, never to be changed.
   * Rejects with `overloaded` when the queue has no room, with the error of the run that failed; other requests are not touched.
   */
  submit(items: readonly Encoding[], options?: SubmitOptions): Promise<readonly ItemRows[]>;
  load(): SchedulerLoad;
  /** Why nothing can be run now, nor soon: what is submitted meanwhile rejects with it. `undefined` in good times. */
  failure(): ServiceError | undefined;
  /** Refuses new items with `shutting_down`, resolves when all that was submitted has been answered. */
  drain(): Promise<void>;
}
