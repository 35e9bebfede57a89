export interface LaneHistory {
  /** Deaths since a session was last open, this one included. */
  readonly deathsWhileStarting: number;
  /** Deaths since a run was last answered, this one included. */
  readonly deathsInARow: number;
  /** The last session was refused with a message (not a crash). */
  readonly refused: boolean;
  /** Whether any session has ever been open. */
  readonly everOpen: boolean;
}

export interface RestartPolicy {
  /** A model that has never been open is given up after this many processes. */
  readonly maxStarts: number;
  /** The pause before the second restart in a row; it doubles from there. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/** Five starts take under two seconds of pauses; a model that dies in every run is loaded at most every five. */
export const RESTART_POLICY: RestartPolicy = { maxStarts: 5, firstDelayMs: 200, maxDelayMs: 5000 };

export type LaneStep = { readonly kind: 'restart'; readonly delayMs: number } | { readonly kind: 'fail' };

/** What to do after a process has ended that nobody asked to end. */
export function nextLaneStep(history: LaneHistory, policy: RestartPolicy): LaneStep {
  // A model that never opened and says why will say the same again. One that was open can be again, once the machine has
  // memory, files or descriptors left.
  const hopeless = history.refused || history.deathsWhileStarting >= policy.maxStarts;
  if (hopeless && !history.everOpen) return { kind: 'fail' };
  if (history.deathsInARow <= 1) return { kind: 'restart', delayMs: 0 };
  const delayMs = policy.firstDelayMs * 2 ** (history.deathsInARow - 2);
  return { kind: 'restart', delayMs: Math.min(delayMs, policy.maxDelayMs) };
}
