import type { WantedTokens } from '../architectures/architecture.ts';
import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import type { LayerPosition } from './queries.ts';

/**
 * The rows of an attention bias `[1, heads, sequence, sequence]` that belong to the queries of a layer, as `queriesOf`
 * chooses them.
 */
export function biasOfQueries(
  g: GraphBuilder,
  bias: Value,
  wanted: WantedTokens,
  { index, count }: LayerPosition,
): Value {
  if (wanted === 'all' || index < count - 1) return bias;
  const [start, end] = wanted === 'first' ? [0, 1] : [-1, Number.MAX_SAFE_INTEGER];
  const [batch = 1, heads = 1, , keys = 'sequence'] = bias.dims;
  return g.node('Slice', [bias, g.integers([start]), g.integers([end]), g.integers([2])], {
    dims: [batch, heads, 1, keys],
  });
}
