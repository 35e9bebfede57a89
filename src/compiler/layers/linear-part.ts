import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import { rowsOf } from '../weights/rows-of.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import { affine } from './affine.ts';

export interface LinearPart {
  /** Which of the layers that the tensor holds, from 0. */
  readonly part: number;
  /** How many it holds, one below the other, all of one width. */
  readonly of: number;
  /** False where the reference's layer has none. */
  readonly bias?: boolean;
}

/**
 * One of the layers that a checkpoint stores as a single torch.nn.Linear, such as query, key and value: `x` `[…, in]` to
 * `[…, outWidth]`. Reads `weight` `[of * outWidth, in]` and `bias` `[of * outWidth]`.
 */
export function linearPart(
  g: GraphBuilder,
  w: WeightScope,
  x: Value,
  outWidth: number,
  { part, of, bias = true }: LinearPart,
): Value {
  const rows = [part * outWidth, (part + 1) * outWidth] as const;
  const weight = rowsOf(w.read('weight', [of * outWidth, widthOf(x)]), ...rows);
  return affine(g, x, weight, bias ? rowsOf(w.read('bias', [of * outWidth]), ...rows) : undefined);
}
