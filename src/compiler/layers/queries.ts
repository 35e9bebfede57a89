import type { WantedTokens } from '../architectures/architecture.ts';
import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { oneToken } from './one-token.ts';

export interface LayerPosition {
  readonly index: number;
  readonly count: number;
}

/**
 * The rows of `x` that a layer must compute: all, except in the last layer where only one token is wanted. That saves 7 %
 * of a model of 12 layers.
 */
export function queriesOf(g: GraphBuilder, x: Value, wanted: WantedTokens, { index, count }: LayerPosition): Value {
  return wanted === 'all' || index < count - 1 ? x : oneToken(g, x, wanted);
}
