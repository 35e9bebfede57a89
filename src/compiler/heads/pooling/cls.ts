import { widthOf } from '../../graph/graph-builder.ts';
import { firstToken } from '../../layers/first-token.ts';
import type { Pooling } from './pooling.ts';

/** The first token of the sequence, whether or not the others were computed. */
export const cls: Pooling = {
  mode: 'cls',
  wantedTokens: 'first',
  pool(g, hidden) {
    const first = hidden.dims[1] === 1 ? hidden : firstToken(g, hidden);
    return g.node('Squeeze', [first, g.integers([1])], { dims: ['batch', widthOf(hidden)] });
  },
};
