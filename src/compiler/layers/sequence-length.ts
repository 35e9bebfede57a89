import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';

/** Number of tokens in `x` `[batch, tokens, …]`, known only when the graph runs: int64 `[1]`. */
export function lengthOf(g: GraphBuilder, x: Value): Value {
  return g.node('Shape', [x], { dims: [1], attributes: { start: { int: 1 }, end: { int: 2 } } });
}
