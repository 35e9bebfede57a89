import { widthOf } from '../../graph/graph-builder.ts';
import type { Pooling } from './pooling.ts';

/** The mean over all tokens, special ones included: nothing is padded, so every token counts. */
export const mean: Pooling = {
  mode: 'mean',
  wantedTokens: 'all',
  pool(g, hidden) {
    const attributes = { axes: { ints: [1] }, keepdims: { int: 0 } };
    return g.node('ReduceMean', [hidden], { attributes, dims: ['batch', widthOf(hidden)] });
  },
};
