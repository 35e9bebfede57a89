import type { ServiceError } from './errors.ts';
import type { Tensor } from './inference-session.ts';

/**
 * `starting` until the session is open, `ready` when idle, `busy` while it has runs in hand, `lost` between a death and the
 * next start, `failed` when it is not started again, `closed` after `close()`.
 */
export type LaneState = 'starting' | 'ready' | 'busy' | 'lost' | 'failed' | 'closed';

/** An inference session in a process of its own, which is started again when it dies. Runs one thing after the other. */
export interface Lane {
  readonly state: LaneState;
  /**
   * How many runs it would take now. A lane takes the next run while it works on the one before, so that it never waits
   * for the server's process; 0 in any state but `ready` and `busy`.
   */
  readonly freeRuns: number;
  /**
   * Why nobody should wait for it: it is `failed` or `closed`, or it has died so often in a row that it may not come back.
   * In the last case it is still started again, and this is `undefined` once a session is open.
   */
  readonly failure: ServiceError | undefined;
  /** Process id of the inference process; `undefined` while there is none. */
  readonly pid: number | undefined;
  /**
   * Rejects with `run_failed` when the run threw, with `lane_lost` when the process ended during it. Resolves with `undefined`
   * when the process ended before it had come to this run: nothing has happened, and it can be asked again. Calling it without
   * a free run is a programming error and rejects. A process that has worked on the run for `limitMs` is taken for hung and
   * killed.
   */
  run(inputs: readonly Tensor[], limitMs?: number): Promise<readonly Tensor[] | undefined>;
  /** Resolves when the lane is idle; rejects with the reason once it is `failed` or `closed`. */
  whenReady(): Promise<void>;
  /** Called on each change of state, from any later event-loop turn. Returns the call that stops it. */
  onStateChange(listener: (state: LaneState) => void): () => void;
  /** Ends the process; runs in hand are finished first. */
  close(): Promise<void>;
}
