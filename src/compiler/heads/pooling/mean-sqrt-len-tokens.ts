import { cast } from '../../layers/cast.ts';
import { lengthOf } from '../../layers/sequence-length.ts';
import type { Pooling } from './pooling.ts';
import { sumOverTokens } from './sum-over-tokens.ts';

/** The sum over all tokens, divided by the square root of their number. */
export const meanSqrtLenTokens: Pooling = {
  mode: 'mean_sqrt_len_tokens',
  wantedTokens: 'all',
  pool(g, hidden) {
    const length = cast(g, lengthOf(g, hidden), 'FLOAT');
    return g.node('Div', [sumOverTokens(g, hidden), g.node('Sqrt', [length])]);
  },
};
