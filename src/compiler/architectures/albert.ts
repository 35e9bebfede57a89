/** Reference: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/albert/modeling_albert.py */
import type { JsonObject } from '../../contracts/json.ts';
import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { denseClassifier } from '../heads/classifiers/dense-classifier.ts';
import { maskedLmHead } from '../heads/vocabulary/masked-lm-head.ts';
import { linear } from '../layers/linear.ts';
import { type PostNormBlockScopes, postNormBlock } from '../layers/post-norm-block.ts';
import { queriesOf } from '../layers/queries.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import { type AlbertConfig, albertLayers, parseAlbertConfig } from './albert-config.ts';
import type { Architecture, WantedTokens } from './architecture.ts';
import { bertEmbeddings } from './bert-embeddings.ts';
import { bertLikeSizes } from './bert-like-config.ts';
import { bertLikeVocabulary } from './bert-like-vocabulary.ts';

function scopesOf(w: WeightScope): PostNormBlockScopes {
  return {
    query: w.at('attention.query'),
    key: w.at('attention.key'),
    value: w.at('attention.value'),
    mixing: w.at('attention.dense'),
    attentionNorm: w.at('attention.LayerNorm'),
    inner: w.at('ffn'),
    outer: w.at('ffn_output'),
    outputNorm: w.at('full_layer_layer_norm'),
  };
}

/** AlbertTransformer: few layers, each used many times; the graph holds the weights of each once. */
function encoder(g: GraphBuilder, w: WeightScope, config: AlbertConfig, embedded: Value, wanted: WantedTokens): Value {
  const options = {
    heads: config.num_attention_heads,
    innerWidth: config.intermediate_size,
    activation: config.hidden_act,
    epsilon: config.layer_norm_eps,
  };
  const layers = albertLayers(config);
  let x = linear(g, w.at('embedding_hidden_mapping_in'), embedded, config.hidden_size);
  for (const [index, { group, inner }] of layers.entries()) {
    const scopes = scopesOf(w.at(`albert_layer_groups.${group}.albert_layers.${inner}`));
    x = postNormBlock(g, scopes, options, x, queriesOf(g, x, wanted, { index, count: layers.length }));
  }
  return x;
}

/** AlbertModel's pooler, AlbertForSequenceClassification */
const classifier = denseClassifier({
  dense: (_root, body) => body.at('pooler'),
  activation: 'tanh',
  output: 'classifier',
});

/** AlbertMLMHead */
function vocabularyHead(json: JsonObject, config: AlbertConfig) {
  return maskedLmHead({
    ...bertLikeVocabulary(json, config),
    dense: 'predictions.dense',
    norm: 'predictions.LayerNorm',
    decoder: 'predictions.decoder',
    bias: 'predictions.bias',
    width: config.embedding_size,
  });
}

export const albert: Architecture = {
  modelType: 'albert',
  configure(json) {
    const config = parseAlbertConfig(json);
    return {
      ...bertLikeSizes(config),
      /** AlbertModel without its pooler. */
      hidden(g, w, inputs, wanted) {
        const embedded = bertEmbeddings(g, w.at('embeddings'), inputs, { config, width: config.embedding_size });
        return encoder(g, w.at('encoder'), config, embedded, wanted);
      },
      classifier,
      vocabularyHead: vocabularyHead(json, config),
    };
  },
};
