import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { type PostNormBlockScopes, postNormBlock } from '../layers/post-norm-block.ts';
import { queriesOf } from '../layers/queries.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import type { WantedTokens } from './architecture.ts';
import type { BertLikeConfig } from './bert-like-config.ts';

/** The names that BERT, RoBERTa and ELECTRA give to the parts of a layer. */
function scopesOf(w: WeightScope): PostNormBlockScopes {
  return {
    query: w.at('attention.self.query'),
    key: w.at('attention.self.key'),
    value: w.at('attention.self.value'),
    mixing: w.at('attention.output.dense'),
    attentionNorm: w.at('attention.output.LayerNorm'),
    inner: w.at('intermediate.dense'),
    outer: w.at('output.dense'),
    outputNorm: w.at('output.LayerNorm'),
  };
}

/** BertEncoder: all layers over `x` `[batch, sequence, dim]`; the last computes the wanted tokens only. */
export function bertEncoder(
  g: GraphBuilder,
  w: WeightScope,
  config: BertLikeConfig,
  x: Value,
  wanted: WantedTokens,
): Value {
  const options = {
    heads: config.num_attention_heads,
    innerWidth: config.intermediate_size,
    activation: config.hidden_act,
    epsilon: config.layer_norm_eps,
  };
  let hidden = x;
  for (let index = 0; index < config.num_hidden_layers; index += 1) {
    const queries = queriesOf(g, hidden, wanted, { index, count: config.num_hidden_layers });
    hidden = postNormBlock(g, scopesOf(w.at(`layer.${index}`)), options, hidden, queries);
  }
  return hidden;
}
