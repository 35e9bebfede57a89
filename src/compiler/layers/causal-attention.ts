import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import type { AttentionInputs } from './attention.ts';
import { cast } from './cast.ts';
import type { GroupedHeads } from './repeat-heads.ts';
import { lengthOf } from './sequence-length.ts';

/** Lengths of a run as the operator asks for them; made once, used by every layer. */
export interface RunLengths {
  /** int32 `[batch]`: index of the last token of each sequence. */
  readonly last: Value;
  /** int32 `[1]`: length of the longest sequence. */
  readonly total: Value;
}

export function runLengths(g: GraphBuilder, ids: Value): RunLengths {
  const length = lengthOf(g, ids);
  const batch = g.node('Shape', [ids], { dims: [1], attributes: { start: { int: 0 }, end: { int: 1 } } });
  const last = g.node('Expand', [g.node('Sub', [length, g.integers([1])]), batch], { dims: ['batch'] });
  return { last: cast(g, last, 'INT32'), total: cast(g, length, 'INT32') };
}

export interface CausalAttentionOptions extends GroupedHeads {
  readonly lengths: RunLengths;
  /** Factor of the scores. */
  readonly scale: number;
  /** Tokens before itself that a token sees; all of them where none is given. */
  readonly reach?: number | undefined;
  /** Scores become cap * tanh(score / cap) before the softmax. */
  readonly softcap?: number | undefined;
}

/**
 * Softmax attention of every token over itself and those before it. Key and value may have fewer heads than the query
 * and are not repeated. Returns `[batch, sequence, query width]`.
 */
export function causalAttention(
  g: GraphBuilder,
  { query, key, value }: AttentionInputs,
  { heads, keyValueHeads, lengths, scale, reach, softcap }: CausalAttentionOptions,
): Value {
  return g.node('GroupQueryAttention', [query, key, value, undefined, undefined, lengths.last, lengths.total], {
    domain: 'com.microsoft',
    attributes: {
      num_heads: { int: heads },
      kv_num_heads: { int: keyValueHeads },
      scale: { float: scale },
      // The operator counts the token itself.
      ...(reach === undefined ? {} : { local_window_size: { int: reach + 1 } }),
      ...(softcap === undefined ? {} : { softcap: { float: softcap } }),
    },
  });
}
