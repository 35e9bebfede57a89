import { readWhole } from '../weights/read-whole.ts';
import type { Weight } from '../weights/weight.ts';
import { nodeOf } from './graph-parts.ts';
import type { LinearProduct } from './linear-products.ts';
import { type Rewritten, rewriteProducts } from './rewrite-products.ts';
import type { Variant } from './variant.ts';

/** Numbers that share a scale. */
const BLOCK = 32;
const ZERO = 128;
const LEVELS = 127;
/** MatMulNBits: activations are quantised too, in blocks of a row. */
const INTEGER_PRODUCTS = 4;

interface Blocks {
  /** `[out, blocks, BLOCK]` */
  readonly values: Uint8Array;
  /** `[out * blocks]` */
  readonly steps: Float32Array;
}

function blocksOf(weight: Weight): Blocks {
  const [depth = 1, width = 1] = weight.dims;
  const count = Math.ceil(depth / BLOCK);
  const matrix = readWhole(weight);
  const values = new Uint8Array(width * count * BLOCK).fill(ZERO);
  const steps = new Float32Array(width * count);
  for (let column = 0; column < width; column += 1) {
    for (let block = 0; block < count; block += 1) {
      const end = Math.min(depth, (block + 1) * BLOCK);
      let largest = 0;
      for (let row = block * BLOCK; row < end; row += 1) {
        largest = Math.max(largest, Math.abs(matrix[row * width + column]!));
      }
      const step = largest / LEVELS || 1;
      steps[column * count + block] = step;
      for (let row = block * BLOCK; row < end; row += 1) {
        values[column * count * BLOCK + row] = Math.round(matrix[row * width + column]! / step) + ZERO;
      }
    }
  }
  return { values, steps };
}

function inBlocks({ x, weight, sum, result }: LinearProduct): Rewritten {
  const [depth = 1, width = 1] = weight.dims;
  const count = Math.ceil(depth / BLOCK);
  // Steps are found together with the values and are a small part of them.
  let known: Float32Array | undefined;
  const values = {
    name: `${weight.name}:blocks`,
    dims: [width, count, BLOCK],
    elementType: 'UINT8' as const,
    bytePieces() {
      const blocks = blocksOf(weight);
      known = blocks.steps;
      return [blocks.values];
    },
  };
  const steps = {
    name: `${weight.name}:blocks:steps`,
    dims: [width * count],
    chunks: () => [known ?? blocksOf(weight).steps],
  };
  const attributes = {
    K: { int: depth },
    N: { int: width },
    bits: { int: 8 },
    block_size: { int: BLOCK },
    accuracy_level: { int: INTEGER_PRODUCTS },
  };
  const inputs = [x, values.name, steps.name, '', '', sum?.bias.name ?? ''];
  return {
    nodes: [nodeOf('MatMulNBits', inputs, result, { domain: 'com.microsoft', attributes })],
    constants: [values, steps],
  };
}

/** A scale for each 32 numbers of weights and of activations: the closest to float32 of all, and the slowest. */
export const int8Blocks: Variant = {
  name: 'int8-blocks',
  isRight: () => true,
  quantize: (graph, products) => rewriteProducts(graph, products, inBlocks),
};
