import { quantizeByRow } from './by-row.ts';
import { multipliesBytesExactly } from './cpu-products.ts';
import type { Variant } from './variant.ts';

/** Weights of 8 bits: where a product of an unsigned and a signed byte is added up in 32 bits. */
export const int8ByRow: Variant = {
  name: 'int8-by-row',
  isRight: multipliesBytesExactly,
  quantize: (graph, products, ranges) => quantizeByRow(graph, products, ranges, 127),
};
