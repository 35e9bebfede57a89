/** Reference: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/distilbert/modeling_distilbert.py */
import type { JsonObject } from '../../contracts/json.ts';
import { ConfigFields } from '../config/config-fields.ts';
import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { denseClassifier } from '../heads/classifiers/dense-classifier.ts';
import { maskedLmHead } from '../heads/vocabulary/masked-lm-head.ts';
import { rowsByIds, rowsByPosition } from '../layers/embeddings.ts';
import { layerNorm } from '../layers/layer-norm.ts';
import { type PostNormBlockScopes, postNormBlock } from '../layers/post-norm-block.ts';
import { queriesOf } from '../layers/queries.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import type { Architecture, TextInputs, WantedTokens } from './architecture.ts';
import { type DistilBertConfig, parseDistilBertConfig } from './distilbert-config.ts';

/** Of every norm: the config has no field for it. */
const EPSILON = 1e-12;

/** Embeddings: a checkpoint holds its position table whether it was learned or computed (`sinusoidal_pos_embds`). */
function embeddings(g: GraphBuilder, w: WeightScope, config: DistilBertConfig, inputs: TextInputs): Value {
  const words = w.read('word_embeddings.weight', [config.vocab_size, config.dim]);
  const positions = w.read('position_embeddings.weight', [config.max_position_embeddings, config.dim]);
  w.ignore('position_ids');
  const sum = g.node('Add', [rowsByIds(g, words, inputs.ids), rowsByPosition(g, positions, inputs.ids)]);
  return layerNorm(g, w.at('LayerNorm'), sum, EPSILON);
}

function scopesOf(w: WeightScope): PostNormBlockScopes {
  return {
    query: w.at('attention.q_lin'),
    key: w.at('attention.k_lin'),
    value: w.at('attention.v_lin'),
    mixing: w.at('attention.out_lin'),
    attentionNorm: w.at('sa_layer_norm'),
    inner: w.at('ffn.lin1'),
    outer: w.at('ffn.lin2'),
    outputNorm: w.at('output_layer_norm'),
  };
}

/** DistilBertModel */
function hidden(
  g: GraphBuilder,
  w: WeightScope,
  config: DistilBertConfig,
  inputs: TextInputs,
  wanted: WantedTokens,
): Value {
  const { n_heads: heads, hidden_dim: innerWidth, activation } = config;
  const options = { heads, innerWidth, activation, epsilon: EPSILON };
  let x = embeddings(g, w.at('embeddings'), config, inputs);
  for (let index = 0; index < config.n_layers; index += 1) {
    const queries = queriesOf(g, x, wanted, { index, count: config.n_layers });
    x = postNormBlock(g, scopesOf(w.at(`transformer.layer.${index}`)), options, x, queries);
  }
  return x;
}

/** DistilBertForSequenceClassification */
const classifier = denseClassifier({
  dense: (root) => root.at('pre_classifier'),
  activation: 'relu',
  output: 'classifier',
});

/** DistilBertForMaskedLM */
function vocabularyHead(json: JsonObject, config: DistilBertConfig) {
  return maskedLmHead({
    dense: 'vocab_transform',
    norm: 'vocab_layer_norm',
    decoder: 'vocab_projector',
    embeddings: 'embeddings.word_embeddings.weight',
    tied: new ConfigFields(json, 'config.json').flag('tie_word_embeddings', true),
    vocabularySize: config.vocab_size,
    width: config.dim,
    activation: config.activation,
    epsilon: EPSILON,
  });
}

export const distilbert: Architecture = {
  modelType: 'distilbert',
  configure(json) {
    const config = parseDistilBertConfig(json);
    return {
      hiddenSize: config.dim,
      vocabularySize: config.vocab_size,
      maxPositions: config.max_position_embeddings,
      tokenTypes: 1,
      anchor: 'embeddings.word_embeddings.weight',
      hidden: (g, w, inputs, wanted) => hidden(g, w, config, inputs, wanted),
      classifier,
      vocabularyHead: vocabularyHead(json, config),
    };
  },
};
