import type { ActivationRanges } from '../../contracts/activation-ranges.ts';
import { readWhole } from '../weights/read-whole.ts';
import type { Weight } from '../weights/weight.ts';
import type { LinearProduct } from './linear-products.ts';

/**
 * How much of the spread between channels moves into the weights. Of 0.5 to 0.85, over two embedders: from 0.6 to 0.8 the
 * differences are smaller than between sets of texts, below and above they grow.
 */
const ALPHA = 0.65;
/**
 * A channel that calibration never saw active must not get a useless factor: no channel counts as smaller than this part
 * of the largest.
 */
const LEAST_PART = 0.01;

/** What divides a value's channels, and multiplies the rows of every weight that it meets. */
export interface Equalization {
  /** Tells the weights apart that were multiplied by it. */
  readonly name: string;
  readonly factors: Float32Array;
}

/** Largest size of each row of a matrix, where it is larger than what `sizes` holds. */
function growToRows(sizes: Float32Array, weight: Weight): void {
  const matrix = readWhole(weight);
  const columns = matrix.length / sizes.length;
  for (let row = 0, index = 0; row < sizes.length; row += 1) {
    for (const end = index + columns; index < end; index += 1) {
      const size = Math.abs(matrix[index]!);
      if (size > sizes[row]!) sizes[row] = size;
    }
  }
}

/** Values that meet a common weight, as in models that repeat one layer, must be divided by the same factors. */
function groupsOf(products: readonly LinearProduct[]): readonly (readonly LinearProduct[])[] {
  const groups: LinearProduct[][] = [];
  for (const product of products) {
    const touches = (group: LinearProduct[]) =>
      group.some(({ x, weight }) => x === product.x || weight.name === product.weight.name);
    const touched = groups.filter(touches);
    for (const group of touched) groups.splice(groups.indexOf(group), 1);
    groups.push([...touched.flat(), product]);
  }
  return groups;
}

function floored(sizes: Float32Array): Float32Array {
  const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
  return largest === 0 ? sizes.fill(1) : sizes.map((size) => Math.max(size, largest * LEAST_PART));
}

function equalizeGroup(group: readonly LinearProduct[], ranges: ActivationRanges): Equalization {
  const [{ x, weight } = { x: '', weight: { dims: [0] } }] = group;
  const values = new Float32Array(weight.dims[0] ?? 0);
  for (const name of new Set(group.map((product) => product.x))) {
    const range = ranges.get(name);
    range?.max.forEach((max, channel) => {
      values[channel] = Math.max(values[channel]!, max, -range.min[channel]!);
    });
  }
  const rows = new Float32Array(values.length);
  for (const each of new Map(group.map((product) => [product.weight.name, product.weight])).values()) {
    growToRows(rows, each);
  }
  const [sizes, rowSizes] = [floored(values), floored(rows)];
  return { name: x, factors: sizes.map((size, channel) => size ** ALPHA / rowSizes[channel]! ** (1 - ALPHA)) };
}

/**
 * Divides channels that are large and multiplies the rows of the weights that meet them, so that one scale fits all channels
 * (Xiao et al., SmoothQuant, https://arxiv.org/abs/2211.10438). By the name of the value. Reads the weights.
 */
export function equalize(
  products: readonly LinearProduct[],
  ranges: ActivationRanges,
): ReadonlyMap<string, Equalization> {
  const known = products.filter(({ x }) => ranges.has(x));
  return new Map(
    groupsOf(known).flatMap((group) => {
      const equalization = equalizeGroup(group, ranges);
      return group.map(({ x }) => [x, equalization] as const);
    }),
  );
}

/** The weight `[in, out]` with its rows multiplied. */
export function equalizedWeight(weight: Weight, { name, factors }: Equalization): Weight {
  return {
    name: `${weight.name}:equalized for ${name}`,
    dims: weight.dims,
    chunks() {
      const matrix = readWhole(weight);
      const columns = matrix.length / factors.length;
      for (let row = 0, index = 0; row < factors.length; row += 1) {
        for (const end = index + columns; index < end; index += 1) matrix[index]! *= factors[row]!;
      }
      return [matrix];
    },
  };
}
