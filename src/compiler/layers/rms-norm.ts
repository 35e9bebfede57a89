import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import type { WeightScope } from '../weights/weight-scope.ts';

/** Root mean square norm over the last dimension: x / sqrt(mean(x^2) + epsilon) * `weight`. */
export function rmsNorm(g: GraphBuilder, w: WeightScope, x: Value, epsilon: number): Value {
  const gain = g.constant(w.read('weight', [widthOf(x)]));
  return g.node('SimplifiedLayerNormalization', [x, gain], {
    attributes: { axis: { int: -1 }, epsilon: { float: epsilon } },
  });
}
