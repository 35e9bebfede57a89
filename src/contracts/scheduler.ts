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

/** One queue per model, shared by all requests. Knows lengths and budgets, never text or HTTP. */
export interface Scheduler {
  /**
   * One row of the model's output for each item, in the order of the items: `[outputWidth]` float32. Rejects with the
   * error of the run that failed; other requests are not touched.
   */
  submit(items: readonly Encoding[], options?: SubmitOptions): Promise<readonly Float32Array[]>;
  load(): SchedulerLoad;
  /** Refuses new items with `shutting_down`, resolves when all that was submitted has been answered. */
  drain(): Promise<void>;
}
