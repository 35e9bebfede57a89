import type { WantedTokens } from '../../architectures/architecture.ts';
import { widthOf } from '../../graph/graph-builder.ts';
import type { Pooling } from './pooling.ts';

function wantedByAll([first, ...others]: readonly Pooling[]): WantedTokens {
  const wanted = first?.wantedTokens ?? 'all';
  return others.every(({ wantedTokens }) => wantedTokens === wanted) ? wanted : 'all';
}

/** The vectors of several poolings beside one another: `[batch, poolings * dim]`. One pooling stays as it is. */
export function concatenated(poolings: readonly Pooling[]): Pooling {
  const [only] = poolings;
  if (only !== undefined && poolings.length === 1) return only;
  return {
    mode: poolings.map(({ mode }) => mode).join('+'),
    wantedTokens: wantedByAll(poolings),
    pool(g, hidden) {
      return g.node(
        'Concat',
        poolings.map((pooling) => pooling.pool(g, hidden)),
        { attributes: { axis: { int: -1 } }, dims: ['batch', widthOf(hidden) * poolings.length] },
      );
    },
  };
}
