import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import { transposed } from '../weights/transposed.ts';
import type { WeightScope } from '../weights/weight-scope.ts';

export interface LinearOptions {
  /** False where the reference's layer has none. */
  readonly bias?: boolean;
}

/** torch.nn.Linear: `x` `[…, in]` to `[…, outWidth]`. Reads `weight` `[out, in]` and `bias` `[out]`. */
export function linear(
  g: GraphBuilder,
  w: WeightScope,
  x: Value,
  outWidth: number,
  { bias = true }: LinearOptions = {},
): Value {
  const weight = g.constant(transposed(w.read('weight', [outWidth, widthOf(x)])));
  const product = g.node('MatMul', [x, weight], { dims: [...x.dims.slice(0, -1), outWidth] });
  return bias ? g.node('Add', [product, g.constant(w.read('bias', [outWidth]))]) : product;
}
