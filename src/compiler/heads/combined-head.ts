import type { Head } from './head.ts';

/** Several heads on one hidden state: a run gives the outputs of all. Only one of them may classify. */
export function combinedHead(heads: readonly [Head, ...Head[]]): Head {
  const [first, ...others] = heads;
  if (others.length === 0) return first;
  const sameTokens = others.every(({ wantedTokens }) => wantedTokens === first.wantedTokens);
  const classification = heads.find((head) => head.classification !== undefined)?.classification;
  return {
    tasks: heads.flatMap(({ tasks }) => tasks),
    outputs: heads.flatMap(({ outputs }) => outputs),
    wantedTokens: sameTokens ? first.wantedTokens : 'all',
    ...(classification === undefined ? {} : { classification }),
    apply: (g, root, body, hidden) => heads.flatMap((head) => head.apply(g, root, body, hidden)),
  };
}
