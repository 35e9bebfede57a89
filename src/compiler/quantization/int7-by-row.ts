import { quantizeByRow } from './by-row.ts';
import type { Variant } from './variant.ts';

/**
 * Weights of 7 bits: a pair of products stays below 2 * 255 * 63 = 32,130 and so fits the 16-bit sums of x64 CPUs without
 * VNNI, which saturate silently with 8 bits.
 */
export const int7ByRow: Variant = {
  name: 'int7-by-row',
  isRight: () => true,
  quantize: (graph, products, ranges) => quantizeByRow(graph, products, ranges, 63),
};
