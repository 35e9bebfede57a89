import { widthOf } from '../../graph/graph-builder.ts';
import type { Pooling } from './pooling.ts';

/** The largest number of each dimension over all tokens. */
export const max: Pooling = {
  mode: 'max',
  wantedTokens: 'all',
  pool(g, hidden) {
    const attributes = { axes: { ints: [1] }, keepdims: { int: 0 } };
    return g.node('ReduceMax', [hidden], { attributes, dims: ['batch', widthOf(hidden)] });
  },
};
