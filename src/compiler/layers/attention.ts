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

export interface AttentionOptions {
  readonly heads: number;
  /** Factor of the scores; 1 / sqrt(width / heads) where none is given. */
  readonly scale?: number | undefined;
  /** Added to the scaled scores: `[1 or batch, 1 or heads, queries, sequence]`. */
  readonly bias?: Value | undefined;
  /** Each token sees itself and those before it. */
  readonly causal?: boolean;
}

/**
 * Softmax attention of every query over the sequence. There is no padding mask: a run holds sequences of one length.
 * Returns `[batch, queries, value width]`.
 */
export function attention(g: GraphBuilder, inputs: AttentionInputs, options: AttentionOptions): Value {
  const { query, key, value } = inputs;
  const { heads, scale, bias, causal = false } = options;
  return g.node('MultiHeadAttention', [query, key, value, undefined, undefined, bias], {
    domain: 'com.microsoft',
    dims: [...query.dims.slice(0, -1), value.dims.at(-1) ?? 0],
    attributes: {
      num_heads: { int: heads },
      ...(scale === undefined ? {} : { scale: { float: scale } }),
      ...(causal ? { unidirectional: { int: 1 } } : {}),
    },
  });
}
