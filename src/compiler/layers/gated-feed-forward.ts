import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import { activation } from './activation.ts';
import type { FeedForwardOptions } from './feed-forward.ts';
import { linear } from './linear.ts';

export interface GatedFeedForwardOptions extends FeedForwardOptions {
  /** Whether the three linear layers have one. */
  readonly bias: boolean;
}

/** `down_proj`(activation(`gate_proj`(x)) * `up_proj`(x)), as Llama and those after it. */
export function gatedFeedForward(
  g: GraphBuilder,
  w: WeightScope,
  x: Value,
  { innerWidth, activation: name, bias }: GatedFeedForwardOptions,
): Value {
  const gate = activation(g, name, linear(g, w.at('gate_proj'), x, innerWidth, { bias }));
  const up = linear(g, w.at('up_proj'), x, innerWidth, { bias });
  return linear(g, w.at('down_proj'), g.node('Mul', [gate, up]), widthOf(x), { bias });
}
