import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import type { WeightScope } from '../weights/weight-scope.ts';

export interface LayerNormOptions {
  /** False where the reference's norm has none. */
  readonly bias?: boolean;
}

/**
 * torch.nn.LayerNorm over the last dimension. Reads `weight` and `bias`, or `gamma` and `beta`, as checkpoints that came
 * from TensorFlow call them. The sum before it stays an operator of its own: on CPU that is faster than a fused one.
 */
export function layerNorm(
  g: GraphBuilder,
  w: WeightScope,
  x: Value,
  epsilon: number,
  { bias = true }: LayerNormOptions = {},
): Value {
  const [gainName, shiftName] = !w.has('weight') && w.has('gamma') ? ['gamma', 'beta'] : ['weight', 'bias'];
  const gain = g.constant(w.read(gainName, [widthOf(x)]));
  const shift = bias ? [g.constant(w.read(shiftName, [widthOf(x)]))] : [];
  return g.node('LayerNormalization', [x, gain, ...shift], {
    attributes: { axis: { int: -1 }, epsilon: { float: epsilon } },
  });
}
