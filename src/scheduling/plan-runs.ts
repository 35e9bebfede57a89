export interface RunBudget {
  /** Tokens of a run: items x length. A single longer item still gets a run, of its own. */
  readonly maxBatchTokens: number;
  readonly maxBatchItems: number;
}

/**
 * Groups waiting items into runs. `lengths` are in order of arrival, in tokens; a run is a list of their indices. A run
 * holds items of one length, so nothing is padded; the run with the oldest item comes first, and its items are in order
 * of arrival.
 */
export function planRuns(
  lengths: readonly number[],
  { maxBatchTokens, maxBatchItems }: RunBudget,
): readonly (readonly number[])[] {
  const runs: number[][] = [];
  /** For each length the run that still has room. */
  const open = new Map<number, number[]>();
  for (const [index, length] of lengths.entries()) {
    let run = open.get(length);
    if (run === undefined) {
      run = [];
      runs.push(run);
      open.set(length, run);
    }
    run.push(index);
    if (run.length >= maxBatchItems || (run.length + 1) * length > maxBatchTokens) open.delete(length);
  }
  return runs;
}
