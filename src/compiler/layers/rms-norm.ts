import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import { mapped } from '../weights/mapped.ts';
import type { WeightScope } from '../weights/weight-scope.ts';

export interface RmsNormOptions {
  /** True where the checkpoint stores the gain less 1, as Gemma does. */
  readonly plusOne?: boolean;
}

/** Root mean square norm over the last dimension: x / sqrt(mean(x^2) + epsilon) * `weight`. */
export function rmsNorm(
  g: GraphBuilder,
  w: WeightScope,
  x: Value,
  epsilon: number,
  { plusOne = false }: RmsNormOptions = {},
): Value {
  const weight = w.read('weight', [widthOf(x)]);
  const gain = g.constant(plusOne ? mapped(weight, 'plus one', (value) => value + 1) : weight);
  return g.node('SimplifiedLayerNormalization', [x, gain], {
    attributes: { axis: { int: -1 }, epsilon: { float: epsilon } },
  });
}
