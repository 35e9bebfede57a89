import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import type { Weight } from '../weights/weight.ts';
import { rowsByIds } from './embeddings.ts';

/**
 * Adds the embedding of each token's type to `x` `[batch, sequence, width]`, from a table `[types, width]`: the first row
 * to every token where there are no type ids. For models without a table of positions, which could take that row in.
 */
export function withTokenTypes(g: GraphBuilder, x: Value, table: Weight, typeIds: Value | undefined): Value {
  return g.node('Add', [x, rowsByIds(g, table, typeIds ?? g.integers([0]))]);
}
