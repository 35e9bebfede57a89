import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';

/** The first position of each sequence: `[batch, sequence, width]` to `[batch, 1, width]`. */
export function firstToken(g: GraphBuilder, x: Value): Value {
  const inputs = [x, g.integers([0]), g.integers([1]), g.integers([1])];
  return g.node('Slice', inputs, { dims: ['batch', 1, widthOf(x)] });
}
