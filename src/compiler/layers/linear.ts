import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import { affine } from './affine.ts';

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
  const weight = w.read('weight', [outWidth, widthOf(x)]);
  return affine(g, x, weight, bias ? w.read('bias', [outWidth]) : undefined);
}
