import type { ActivationRanges } from '../../contracts/activation-ranges.ts';
import type { Graph } from '../graph/graph.ts';
import { equalize } from './equalize.ts';
import { fixedScale } from './fixed-scale.ts';
import type { LinearProduct } from './linear-products.ts';
import { normedValues } from './normed-values.ts';
import { rewriteProducts } from './rewrite-products.ts';
import { rowScale } from './row-scale.ts';

/**
 * Layers behind a norm get one scale for all texts, all others a scale for each row; `levels` is the largest whole number
 * of a weight.
 */
export function quantizeByRow(
  graph: Graph,
  products: readonly LinearProduct[],
  ranges: ActivationRanges,
  levels: number,
): Graph {
  const normed = normedValues(graph);
  const equalizations = equalize(
    products.filter(({ x }) => normed.has(x)),
    ranges,
  );
  return rewriteProducts(graph, products, (product) => {
    const range = ranges.get(product.x);
    const equalization = equalizations.get(product.x);
    return range === undefined || equalization === undefined
      ? rowScale(product, range, levels)
      : fixedScale(product, range, equalization, levels);
  });
}
