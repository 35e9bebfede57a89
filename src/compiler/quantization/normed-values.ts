import type { Graph } from '../graph/graph.ts';

const NORMS = ['LayerNormalization', 'SimplifiedLayerNormalization'];
/** Operators that hand on some of the rows they get. */
const SELECTIONS = ['Slice', 'Reshape', 'Identity'];

/** Names of the values that a norm made, or that are rows of such a value. */
export function normedValues(graph: Graph): ReadonlySet<string> {
  const normed = new Set<string>();
  for (const { operator, inputs, outputs } of graph.nodes) {
    const isNormed = NORMS.includes(operator) || (SELECTIONS.includes(operator) && normed.has(inputs[0] ?? ''));
    if (isNormed && outputs[0] !== undefined) normed.add(outputs[0]);
  }
  return normed;
}
