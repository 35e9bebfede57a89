import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { transposed } from '../weights/transposed.ts';
import type { Weight } from '../weights/weight.ts';

/** `x` `[…, in]` times a weight `[out, in]` plus a bias `[out]`, for weights that are more than a tensor of a checkpoint. */
export function affine(g: GraphBuilder, x: Value, weight: Weight, bias?: Weight): Value {
  const [outWidth = 0] = weight.dims;
  const product = g.node('MatMul', [x, g.constant(transposed(weight))], { dims: [...x.dims.slice(0, -1), outWidth] });
  return bias === undefined ? product : g.node('Add', [product, g.constant(bias)]);
}
