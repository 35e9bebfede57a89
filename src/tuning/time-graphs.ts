import type { Encoding } from '../contracts/tokenizer.ts';
import type { RunText } from './run-text.ts';

/** Time that all graphs together may take; each runs at least twice, the first time to warm up. */
const BUDGET_MS = 2000;
const LEAST_ROUNDS = 2;

/**
 * Milliseconds that each graph needs for these texts, one after the other: the best of several rounds, in which the graphs take
 * turns so that a slow spell of the machine meets all of them.
 */
export async function timeGraphs(
  graphs: readonly RunText[],
  encodings: readonly Encoding[],
  now: () => number = () => performance.now(),
): Promise<readonly number[]> {
  const best = graphs.map(() => Number.POSITIVE_INFINITY);
  const start = now();
  for (let round = 0; round < LEAST_ROUNDS || now() - start < BUDGET_MS; round += 1) {
    for (const [index, run] of graphs.entries()) {
      const from = now();
      for (const encoding of encodings) await run(encoding);
      if (round > 0) best[index] = Math.min(best[index] ?? Number.POSITIVE_INFINITY, now() - from);
    }
  }
  return best;
}
