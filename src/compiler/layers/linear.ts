import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import { transposed } from '../weights/transposed.ts';
import type { WeightScope } from '../weights/weight-scope.ts';

/** torch.nn.Linear with bias: `x` `[…, in]` to `[…, outWidth]`. Reads `weight` `[out, in]` and `bias` `[out]`. */
export function linear(g: GraphBuilder, w: WeightScope, x: Value, outWidth: number): Value {
  const weight = g.constant(transposed(w.read('weight', [outWidth, widthOf(x)])));
  const bias = g.constant(w.read('bias', [outWidth]));
  const product = g.node('MatMul', [x, weight], { dims: [...x.dims.slice(0, -1), outWidth] });
  return g.node('Add', [product, bias]);
}
