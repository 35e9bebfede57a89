import type { Tensor } from './inference-session.ts';

/**
 * `starting` until the session is open, `ready` when idle, `busy` during a run, `lost` between a death and the next
 * start, `failed` when it is not started again, `closed` after `close()`.
 */
export type LaneState = 'starting' | 'ready' | 'busy' | 'lost' | 'failed' | 'closed';

/** An inference session in a process of its own, which is started again when it dies. Runs one thing at a time. */
export interface Lane {
  readonly state: LaneState;
  /** Process id of the inference process; `undefined` while there is none. */
  readonly pid: number | undefined;
  /**
   * Rejects with `run_failed` when the run threw, with `lane_lost` when the process ended during it. Calling it in any
   * state but `ready` is a programming error and rejects.
   */
  run(inputs: readonly Tensor[]): Promise<readonly Tensor[]>;
  /** Resolves when the lane can take a run; rejects with the reason once it is `failed` or `closed`. */
  whenReady(): Promise<void>;
  /** Called on each change of state, from any later event-loop turn. Returns the call that stops it. */
  onStateChange(listener: (state: LaneState) => void): () => void;
  /** Ends the process; a run in hand is finished first. */
  close(): Promise<void>;
}
