import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';

export interface GroupedHeads {
  readonly heads: number;
  /** Heads of key and value; each serves `heads / keyValueHeads` neighbouring heads of the query. */
  readonly keyValueHeads: number;
}

/** Keys or values `[batch, sequence, keyValueHeads * head width]`, repeated for each head of the query. */
export function repeatHeads(g: GraphBuilder, x: Value, { heads, keyValueHeads }: GroupedHeads): Value {
  if (heads === keyValueHeads) return x;
  const headWidth = widthOf(x) / keyValueHeads;
  const outside = x.dims.slice(0, -1);
  const apart = g.node('Reshape', [x, g.integers([0, 0, keyValueHeads, 1, headWidth])], {
    dims: [...outside, keyValueHeads, 1, headWidth],
  });
  const repeated = g.node('Expand', [apart, g.integers([1, 1, 1, heads / keyValueHeads, 1])], {
    dims: [...outside, keyValueHeads, heads / keyValueHeads, headWidth],
  });
  return g.node('Reshape', [repeated, g.integers([0, 0, heads * headWidth])], {
    dims: [...outside, heads * headWidth],
  });
}
