export interface LaneHistory {
  /** Deaths since a session was last open, this one included. */
  readonly deathsWhileStarting: number;
  /** Those of them that were no crash: the process did nothing until it was killed for it. */
  readonly hungStarts: number;
  /** Deaths since a run was last answered, this one included. */
  readonly deathsInARow: number;
  /** The last session was refused with a message (not a crash). */
  readonly refused: boolean;
  /** Whether any session has ever been open. */
  readonly everOpen: boolean;
}

export interface RestartPolicy {
  /** A model that has never been open is given up after this many processes; nobody waits any more for one that was. */
  readonly maxStarts: number;
  /** Likewise: each of them takes minutes. */
  readonly maxHungStarts: number;
  /** The pause before the second restart in a row; it doubles from there. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/** Five starts take under two seconds of pauses; a model that dies in every run is loaded at most every half minute. */
export const RESTART_POLICY: RestartPolicy = { maxStarts: 5, maxHungStarts: 2, firstDelayMs: 200, maxDelayMs: 30_000 };

export type LaneStep =
  /** `mayNotReturn`: it has died so often that whoever waits for it should be told so. */
  { readonly kind: 'restart'; readonly delayMs: number; readonly mayNotReturn: boolean } | { readonly kind: 'fail' };

/** What to do after a process has ended that nobody asked to end. */
export function nextLaneStep(history: LaneHistory, policy: RestartPolicy): LaneStep {
  const { deathsWhileStarting, hungStarts, deathsInARow, refused, everOpen } = history;
  // A model that never opened and says why will say the same again. One that was open can be again, once the machine has
  // memory, files or descriptors left.
  const gaveUpStarting = deathsWhileStarting >= policy.maxStarts || hungStarts >= policy.maxHungStarts;
  if ((refused || gaveUpStarting) && !everOpen) return { kind: 'fail' };
  const mayNotReturn = gaveUpStarting || deathsInARow >= policy.maxStarts;
  if (deathsInARow <= 1) return { kind: 'restart', delayMs: 0, mayNotReturn };
  const delayMs = policy.firstDelayMs * 2 ** (deathsInARow - 2);
  return { kind: 'restart', delayMs: Math.min(delayMs, policy.maxDelayMs), mayNotReturn };
}
