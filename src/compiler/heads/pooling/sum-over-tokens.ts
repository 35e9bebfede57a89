import type { Value } from '../../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../../graph/graph-builder.ts';

/** `[batch, tokens, dim]` to `[batch, dim]` */
export function sumOverTokens(g: GraphBuilder, hidden: Value): Value {
  return g.node('ReduceSum', [hidden, g.integers([1])], {
    attributes: { keepdims: { int: 0 } },
    dims: ['batch', widthOf(hidden)],
  });
}
