import type { ChannelRange } from '../../contracts/activation-ranges.ts';
import type { OnnxNode } from '../../formats/onnx/onnx-model.ts';
import { type GraphConstant, integerConstant } from '../graph/graph.ts';
import { nodeOf, STEPS, scalar, zeroPoint } from './graph-parts.ts';
import type { LinearProduct } from './linear-products.ts';
import { quantizeMatrix } from './quantize-matrix.ts';
import type { Rewritten } from './rewrite-products.ts';

/** A row of zeros must not be divided by 0. */
const LEAST_SIZE = 1e-20;

/** How a row is laid over the unsigned numbers of 8 bits. */
interface Layout {
  /** The number that stands for 0. */
  readonly zero: number;
  /** No row is taken for smaller: below zero there would be no room for what calibration saw there. */
  readonly leastSize: number;
}

const BOTH_SIDES: Layout = { zero: 128, leastSize: LEAST_SIZE };

/**
 * What follows a ReLU has nothing below zero, what follows a GELU or SiLU next to nothing: such rows use nearly all numbers
 * for what is above.
 */
function layoutOf(range: ChannelRange | undefined): Layout {
  if (range === undefined) return BOTH_SIDES;
  const below = range.min.reduce((most, value) => Math.max(most, -value), 0);
  const above = range.max.reduce((most, value) => Math.max(most, value), 0);
  if (below === 0) return { zero: 0, leastSize: LEAST_SIZE };
  const zero = 32;
  const leastSize = (below * (STEPS - zero)) / zero;
  // Where the smallest rows would be much of the largest, both sides matter.
  return leastSize * 4 <= above ? { zero, leastSize } : BOTH_SIDES;
}

/** Quantises the rows of `x` `[…, width]` to `x:quantized`, with `x:step` `[…, 1]`. */
function quantizeRows(x: string, width: number, { zero, leastSize }: Layout): Rewritten {
  const isTwoSided = zero === BOTH_SIDES.zero;
  const least = scalar(leastSize);
  const part = scalar(1 / (STEPS - zero));
  const flat = integerConstant([-1, width]);
  const list = integerConstant([-1]);
  const start = zeroPoint(zero, [1]);
  const nodes: OnnxNode[] = [
    ...(isTwoSided ? [nodeOf('Abs', [x], `${x}:sizes`)] : []),
    nodeOf('ReduceMax', [isTwoSided ? `${x}:sizes` : x], `${x}:largest`, {
      attributes: { axes: { ints: [-1] }, keepdims: { int: 1 } },
    }),
    nodeOf('Max', [`${x}:largest`, least.name], `${x}:size`),
    nodeOf('Mul', [`${x}:size`, part.name], `${x}:step`),
    // QuantizeLinear takes a scale for each entry of one axis: all rows must lie on it.
    nodeOf('Reshape', [`${x}:step`, list.name], `${x}:row steps`),
    nodeOf('Shape', [`${x}:row steps`], `${x}:row count`),
    nodeOf('Expand', [start.name, `${x}:row count`], `${x}:zeros`),
    nodeOf('Reshape', [x, flat.name], `${x}:rows`),
    nodeOf('QuantizeLinear', [`${x}:rows`, `${x}:row steps`, `${x}:zeros`], `${x}:quantized rows`, {
      attributes: { axis: { int: 0 } },
    }),
    nodeOf('Shape', [x], `${x}:shape`),
    nodeOf('Reshape', [`${x}:quantized rows`, `${x}:shape`], `${x}:quantized`),
  ];
  return { nodes, constants: [least, part, flat, list, start] };
}

/**
 * A layer whose input has a scale for each row, a token, found in the run: right for what varies from token to token, and a
 * token's result does not depend on the others in the run.
 */
export function rowScale(
  { x, weight, sum, result }: LinearProduct,
  range: ChannelRange | undefined,
  levels: number,
): Rewritten {
  const layout = layoutOf(range);
  const rows = quantizeRows(x, weight.dims[0] ?? 0, layout);
  const { values, steps } = quantizeMatrix(weight, levels);
  const [one, zero] = [scalar(1), zeroPoint(layout.zero)];
  const constants: GraphConstant[] = [...rows.constants, values, steps, one, zero];
  const scaled = sum === undefined ? result : `${result}:scaled`;
  return {
    nodes: [
      ...rows.nodes,
      nodeOf(
        'MatMulIntegerToFloat',
        [`${x}:quantized`, values.name, one.name, steps.name, zero.name],
        `${result}:product`,
        {
          domain: 'com.microsoft',
        },
      ),
      nodeOf('Mul', [`${result}:product`, `${x}:step`], scaled),
      ...(sum === undefined ? [] : [nodeOf('Add', [scaled, sum.bias.name], result)]),
    ],
    constants,
  };
}
