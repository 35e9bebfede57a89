import { cast } from '../../layers/cast.ts';
import { lengthOf } from '../../layers/sequence-length.ts';
import type { Pooling } from './pooling.ts';
import { sumOverTokens } from './sum-over-tokens.ts';

/** The mean over all tokens, weighted by their position from 1: later tokens of a causal model have seen more. */
export const weightedmean: Pooling = {
  mode: 'weightedmean',
  wantedTokens: 'all',
  pool(g, hidden) {
    const scalars = [g.integers([1]), g.node('Add', [lengthOf(g, hidden), g.integers([1])]), g.integers([1])];
    const positions = g.node(
      'Range',
      scalars.map((scalar) => g.node('Squeeze', [scalar], { dims: [] })),
      { dims: ['tokens'] },
    );
    const weights = cast(g, positions, 'FLOAT');
    const column = g.node('Unsqueeze', [weights, g.integers([1])], { dims: ['tokens', 1] });
    const total = g.node('ReduceSum', [weights], { attributes: { keepdims: { int: 1 } }, dims: [1] });
    return g.node('Div', [sumOverTokens(g, g.node('Mul', [hidden, column])), total]);
  },
};
