import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';

/** The first or last position of each sequence: `[batch, sequence, width]` to `[batch, 1, width]`. */
export function oneToken(g: GraphBuilder, x: Value, which: 'first' | 'last'): Value {
  if (x.dims[1] === 1) return x;
  const [start, end] = which === 'first' ? [0, 1] : [-1, Number.MAX_SAFE_INTEGER];
  return g.node('Slice', [x, g.integers([start]), g.integers([end]), g.integers([1])], {
    dims: ['batch', 1, widthOf(x)],
  });
}
