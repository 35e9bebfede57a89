import type { ChannelRange } from '../../contracts/activation-ranges.ts';
import { type Equalization, equalizedWeight } from './equalize.ts';
import { nodeOf, STEPS, scalar, zeroPoint } from './graph-parts.ts';
import type { LinearProduct } from './linear-products.ts';
import { quantizeMatrix } from './quantize-matrix.ts';
import type { Rewritten } from './rewrite-products.ts';

/** The least and greatest number of all channels, each divided by its factor; 0 always lies between. */
function bounds({ min, max }: ChannelRange, factors: Float32Array): readonly [number, number] {
  let [least, greatest] = [0, 0];
  factors.forEach((factor, channel) => {
    least = Math.min(least, min[channel]! / factor);
    greatest = Math.max(greatest, max[channel]! / factor);
  });
  return [least, greatest];
}

/**
 * A layer whose input has one scale for all texts, known from calibration: right for what a norm has brought to one size.
 * The input is equalised and quantised once for all layers that read it.
 */
export function fixedScale(
  { x, weight, sum, result }: LinearProduct,
  range: ChannelRange,
  equalization: Equalization,
  levels: number,
): Rewritten {
  const { factors } = equalization;
  const [least, greatest] = bounds(range, factors);
  const step = Math.fround((greatest - least) / STEPS) || 1;
  const [scale, zero] = [scalar(step), zeroPoint(Math.round(-least / step))];
  const divisors = {
    name: `${x}:divisors`,
    dims: [factors.length],
    chunks: () => [factors.map((factor) => 1 / factor)],
  };
  const { values, steps } = quantizeMatrix(equalizedWeight(weight, equalization), levels);
  const inputs = [`${x}:quantized`, values.name, scale.name, steps.name, zero.name, '', sum?.bias.name ?? ''];
  return {
    nodes: [
      nodeOf('Mul', [x, divisors.name], `${x}:equalized`),
      nodeOf('QuantizeLinear', [`${x}:equalized`, scale.name, zero.name], `${x}:quantized`),
      nodeOf('MatMulIntegerToFloat', inputs, result, { domain: 'com.microsoft' }),
    ],
    constants: [divisors, scale, zero, values, steps],
  };
}
