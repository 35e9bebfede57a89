import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { lengthOf } from './sequence-length.ts';

/**
 * Position of the key minus position of the query for every pair of tokens of `ids` `[batch, sequence]`: int64
 * `[queries, keys]`. Made anew for the length of each run: a table for the longest sequence could be gigabytes.
 */
export function relativePositions(g: GraphBuilder, ids: Value): Value {
  const scalar = (value: Value) => g.node('Squeeze', [value], { dims: [] });
  const range = [scalar(g.integers([0])), scalar(lengthOf(g, ids)), scalar(g.integers([1]))];
  const keys = g.node('Range', range, { dims: ['sequence'] });
  const queries = g.node('Unsqueeze', [keys, g.integers([1])], { dims: ['sequence', 1] });
  return g.node('Sub', [keys, queries], { dims: ['sequence', 'sequence'] });
}
