import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { rowsOf } from '../weights/rows-of.ts';
import type { Weight } from '../weights/weight.ts';
import { activation } from './activation.ts';
import { affine } from './affine.ts';

export interface GatedLinearOptions {
  /** Hugging Face's name of the activation. */
  readonly activation: string;
  /** The half of the rows whose product passes the activation. */
  readonly activated: 'first' | 'second';
  /** `[2 * inner]`, where the layer has one. */
  readonly bias?: Weight | undefined;
}

/**
 * A gated linear unit whose two matrices are the halves of one weight `[2 * inner, in]`: the activation of one product
 * times the other. `x` `[…, in]` to `[…, inner]`.
 */
export function gatedLinear(g: GraphBuilder, x: Value, weight: Weight, options: GatedLinearOptions): Value {
  const [rows = 0] = weight.dims;
  const half = (start: number, end: number) =>
    affine(g, x, rowsOf(weight, start, end), options.bias && rowsOf(options.bias, start, end));
  const [first, second] = [half(0, rows / 2), half(rows / 2, rows)];
  const [gate, passed] = options.activated === 'first' ? [first, second] : [second, first];
  return g.node('Mul', [activation(g, options.activation, gate), passed]);
}
