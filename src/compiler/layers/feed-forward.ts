import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import { activation } from './activation.ts';
import { linear } from './linear.ts';

export interface FeedForwardOptions {
  readonly innerWidth: number;
  /** Hugging Face's name of the activation. */
  readonly activation: string;
}

/** Two linear layers with an activation between them; each has a scope of its own, as families name them differently. */
export function feedForward(
  g: GraphBuilder,
  inner: WeightScope,
  outer: WeightScope,
  x: Value,
  options: FeedForwardOptions,
): Value {
  const widened = linear(g, inner, x, options.innerWidth);
  return linear(g, outer, activation(g, options.activation, widened), widthOf(x));
}
