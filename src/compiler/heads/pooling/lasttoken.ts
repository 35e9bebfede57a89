import { widthOf } from '../../graph/graph-builder.ts';
import { oneToken } from '../../layers/one-token.ts';
import type { Pooling } from './pooling.ts';

/** The last token of the sequence, whether or not the others were computed. */
export const lasttoken: Pooling = {
  mode: 'lasttoken',
  wantedTokens: 'last',
  pool(g, hidden) {
    return g.node('Squeeze', [oneToken(g, hidden, 'last'), g.integers([1])], { dims: ['batch', widthOf(hidden)] });
  },
};
