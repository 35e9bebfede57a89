import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import { attention } from './attention.ts';
import { feedForward } from './feed-forward.ts';
import { layerNorm } from './layer-norm.ts';
import { linear } from './linear.ts';

/** Where a family keeps the parts of a block: only the names differ between families. */
export interface PostNormBlockScopes {
  readonly query: WeightScope;
  readonly key: WeightScope;
  readonly value: WeightScope;
  /** The linear layer after attention. */
  readonly mixing: WeightScope;
  readonly attentionNorm: WeightScope;
  /** The widening linear layer of the feed-forward part, and the narrowing one. */
  readonly inner: WeightScope;
  readonly outer: WeightScope;
  readonly outputNorm: WeightScope;
}

export interface PostNormBlockOptions {
  readonly heads: number;
  readonly innerWidth: number;
  /** Hugging Face's name of the activation. */
  readonly activation: string;
  readonly epsilon: number;
  /** Added to the attention scores: `[1 or batch, 1 or heads, queries, sequence]`. */
  readonly bias?: Value | undefined;
}

/**
 * A transformer layer as BERT has it: attention, then feed-forward, each followed by the sum with what went in and a
 * layer norm. `x` `[batch, sequence, dim]`; the result has the rows of `queries`, which are rows of `x`.
 */
export function postNormBlock(
  g: GraphBuilder,
  scopes: PostNormBlockScopes,
  options: PostNormBlockOptions,
  x: Value,
  queries: Value,
): Value {
  const width = widthOf(x);
  const context = attention(
    g,
    {
      query: linear(g, scopes.query, queries, width),
      key: linear(g, scopes.key, x, width),
      value: linear(g, scopes.value, x, width),
    },
    { heads: options.heads, bias: options.bias },
  );
  const mixed = linear(g, scopes.mixing, context, width);
  const attended = layerNorm(g, scopes.attentionNorm, g.node('Add', [mixed, queries]), options.epsilon);
  const fed = feedForward(g, scopes.inner, scopes.outer, attended, options);
  return layerNorm(g, scopes.outputNorm, g.node('Add', [fed, attended]), options.epsilon);
}
