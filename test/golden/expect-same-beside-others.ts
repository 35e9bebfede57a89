import { expect } from 'vitest';
import { maxDifference } from './max-difference.ts';

/** Noise between runs of other shapes; the product promises 1e-6 of vectors of length 1. */
const NEIGHBOUR_TOLERANCE = 1e-6;

/**
 * Items of one length give in one run what each gives alone, and in the opposite order the same in the opposite order.
 * Returns the largest difference found.
 */
export async function expectSameBesideOthers<Item>(
  run: (items: readonly Item[]) => Promise<readonly Float32Array[]>,
  items: readonly Item[],
): Promise<number> {
  const alone: number[][] = [];
  for (const item of items) alone.push(...(await run([item])).map((row) => [...row]));
  const together = await run(items);
  const turned = (await run(items.toReversed())).toReversed();
  const worst = Math.max(maxDifference(together, alone), maxDifference(turned, alone));
  expect(worst).toBeLessThanOrEqual(NEIGHBOUR_TOLERANCE * Math.max(1, ...alone.flat().map(Math.abs)));
  return worst;
}
