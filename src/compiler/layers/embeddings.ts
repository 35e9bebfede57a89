import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import type { Weight } from '../weights/weight.ts';

/** Rows of a table `[rows, width]` by int32 ids `[batch, sequence]`: `[batch, sequence, width]`. */
export function rowsByIds(g: GraphBuilder, table: Weight, ids: Value): Value {
  const width = table.dims[1] ?? 0;
  return g.node('Gather', [g.constant(table), ids], { dims: [...ids.dims, width] });
}

/** The first rows of a table `[rows, width]`, one for each position of `ids` `[batch, sequence]`: `[sequence, width]`. */
export function rowsByPosition(g: GraphBuilder, table: Weight, ids: Value): Value {
  const width = table.dims[1] ?? 0;
  const length = g.node('Shape', [ids], { dims: [1], attributes: { start: { int: 1 }, end: { int: 2 } } });
  const inputs = [g.constant(table), g.integers([0]), length, g.integers([0])];
  return g.node('Slice', inputs, { dims: ['sequence', width] });
}
