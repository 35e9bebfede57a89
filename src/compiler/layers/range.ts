import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';

/** The whole numbers from `start` to before `end`, int64 `[length]`; `end` is an int64 `[1]`, known only when the graph runs. */
export function range(g: GraphBuilder, end: Value, { start = 0, length = 'sequence' } = {}): Value {
  const limits = [g.integers([start]), end, g.integers([1])].map((limit) => g.node('Squeeze', [limit], { dims: [] }));
  return g.node('Range', limits, { dims: [length] });
}
