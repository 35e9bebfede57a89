/**
 * A run is taken for hung after this many times what it should take. Runs measured on two cores that eight jobs shared took up
 * to five times as long as alone; a container that is throttled for half its time doubles that once more.
 */
const TIMES_EXPECTED = 20;

/**
 * How long a run may take before its process is killed, in ms; `undefined` for as long as it likes. `leastS` is for every run,
 * 0 sets no limit at all; a long one gets what its expected time allows, so that no limit ends work that gets on.
 */
export function runLimitMs(leastS: number, expectedMs: number): number | undefined {
  return leastS === 0 ? undefined : Math.max(leastS * 1000, TIMES_EXPECTED * expectedMs);
}
