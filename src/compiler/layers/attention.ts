import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';

export interface AttentionInputs {
  /** `[batch, queries, width]`; may have fewer rows than key and value. */
  readonly query: Value;
  /** `[batch, sequence, width]` */
  readonly key: Value;
  /** `[batch, sequence, width]` */
  readonly value: Value;
}

/**
 * Softmax attention of every query over the whole sequence, scaled by 1 / sqrt(width / heads). There is no mask: a run
 * holds sequences of one length. Returns `[batch, queries, width]`.
 */
export function attention(g: GraphBuilder, { query, key, value }: AttentionInputs, heads: number): Value {
  return g.node('MultiHeadAttention', [query, key, value], {
    domain: 'com.microsoft',
    attributes: { num_heads: { int: heads } },
  });
}
