import type { GraphOutput } from '../contracts/compiled-model.ts';
import type { SparseVector } from '../contracts/engine.ts';

/** Weights by entry of the vocabulary: a row per item holds one for each, a row per token the one of each token's entry. */
function* weightsById(
  { per, firstToken }: GraphOutput,
  row: Float32Array,
  ids: Int32Array,
): Iterable<[number, number]> {
  for (const [index, weight] of row.entries()) {
    yield [per === 'item' ? index : (ids[index + firstToken] ?? -1), weight];
  }
}

/**
 * The entries that weigh more than nothing, in the order of their ids. An entry that several tokens are has the largest of
 * their weights; the output's ignored ids are left out.
 */
export function sparseVector(output: GraphOutput, row: Float32Array, ids: Int32Array): SparseVector {
  const largest = new Map<number, number>();
  for (const [id, weight] of weightsById(output, row, ids)) {
    if (weight > (largest.get(id) ?? 0)) largest.set(id, weight);
  }
  for (const id of output.ignoredIds) largest.delete(id);
  const entries = [...largest].sort(([a], [b]) => a - b);
  return {
    ids: Int32Array.from(entries, ([id]) => id),
    weights: Float32Array.from(entries, ([, weight]) => weight),
  };
}
