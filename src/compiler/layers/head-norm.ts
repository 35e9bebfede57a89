import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import { type RmsNormOptions, rmsNorm } from './rms-norm.ts';

/** RMS norm of each head of `x` `[batch, sequence, heads * head width]` apart; all heads share `weight` `[head width]`. */
export function headNorm(
  g: GraphBuilder,
  w: WeightScope,
  x: Value,
  heads: number,
  epsilon: number,
  options: RmsNormOptions = {},
): Value {
  const width = widthOf(x);
  const apart = g.node('Reshape', [x, g.integers([0, 0, heads, width / heads])], {
    dims: [...x.dims.slice(0, -1), heads, width / heads],
  });
  return g.node('Reshape', [rmsNorm(g, w, apart, epsilon, options), g.integers([0, 0, width])], { dims: x.dims });
}
