import type { Encoding } from './tokenizer.ts';

export interface SubmitOptions {
  /** Drops the items that have not started; `submit` then rejects with `request_cancelled`. */
  readonly signal?: AbortSignal;
}

export interface SchedulerLoad {
  readonly queuedItems: number;
  readonly queuedTokens: number;
  /** Items in a run now. */
  readonly runningItems: number;
}

/** What came out for one item: a row for each of the model's outputs, in their order; `[width]`, or `[rows * width]` per token. */
export type ItemRows = readonly Float32Array[];

/** One queue per model, shared by all requests. Knows lengths and budgets, never text or HTTP. */
export interface Scheduler {
  /**
   * What came out for each item, in the order of the items. Rejects with the error of the run that failed; other requests
   * are not touched.
   */
  submit(items: readonly Encoding[], options?: SubmitOptions): Promise<readonly ItemRows[]>;
  load(): SchedulerLoad;
  /** Refuses new items with `shutting_down`, resolves when all that was submitted has been answered. */
  drain(): Promise<void>;
}
