import { widthOf } from '../../graph/graph-builder.ts';
import { oneToken } from '../../layers/one-token.ts';
import type { Pooling } from './pooling.ts';

/** The first token of the sequence, whether or not the others were computed. */
export const cls: Pooling = {
  mode: 'cls',
  wantedTokens: 'first',
  pool(g, hidden) {
    return g.node('Squeeze', [oneToken(g, hidden, 'first'), g.integers([1])], { dims: ['batch', widthOf(hidden)] });
  },
};
