/** Reference: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/mpnet/modeling_mpnet.py */
import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { robertaClassifier } from '../heads/classifiers/roberta-classifier.ts';
import { biasOfQueries } from '../layers/bias-of-queries.ts';
import { countedPositions } from '../layers/counted-positions.ts';
import { rowsByIds } from '../layers/embeddings.ts';
import { layerNorm } from '../layers/layer-norm.ts';
import { type PostNormBlockScopes, postNormBlock } from '../layers/post-norm-block.ts';
import { queriesOf } from '../layers/queries.ts';
import { relativeBias } from '../layers/relative-buckets.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import type { Architecture, TextInputs, WantedTokens } from './architecture.ts';
import { BUCKETS, type MPNetConfig, PAD_ID, parseMPNetConfig } from './mpnet-config.ts';
import { robertaVocabularyHead } from './roberta-vocabulary-head.ts';

/** MPNetEmbeddings */
function embeddings(g: GraphBuilder, w: WeightScope, config: MPNetConfig, inputs: TextInputs): Value {
  const words = w.read('word_embeddings.weight', [config.vocab_size, config.hidden_size]);
  const positions = w.read('position_embeddings.weight', [config.max_position_embeddings, config.hidden_size]);
  w.ignore('position_ids');
  const place = rowsByIds(g, positions, countedPositions(g, inputs.ids, PAD_ID));
  const sum = g.node('Add', [rowsByIds(g, words, inputs.ids), place]);
  return layerNorm(g, w.at('LayerNorm'), sum, config.layer_norm_eps);
}

function scopesOf(w: WeightScope): PostNormBlockScopes {
  return {
    query: w.at('attention.attn.q'),
    key: w.at('attention.attn.k'),
    value: w.at('attention.attn.v'),
    mixing: w.at('attention.attn.o'),
    attentionNorm: w.at('attention.LayerNorm'),
    inner: w.at('intermediate.dense'),
    outer: w.at('output.dense'),
    outputNorm: w.at('output.LayerNorm'),
  };
}

/** MPNetModel without its pooler. One table of relative biases serves all layers. */
function hidden(g: GraphBuilder, w: WeightScope, config: MPNetConfig, inputs: TextInputs, wanted: WantedTokens): Value {
  const encoder = w.at('encoder');
  const tableDims = [config.relative_attention_num_buckets, config.num_attention_heads];
  const relative = relativeBias(g, encoder.read('relative_attention_bias.weight', tableDims), inputs.ids, BUCKETS);
  const options = {
    heads: config.num_attention_heads,
    innerWidth: config.intermediate_size,
    activation: config.hidden_act,
    epsilon: config.layer_norm_eps,
  };
  let x = embeddings(g, w.at('embeddings'), config, inputs);
  for (let index = 0; index < config.num_hidden_layers; index += 1) {
    const position = { index, count: config.num_hidden_layers };
    const queries = queriesOf(g, x, wanted, position);
    const bias = biasOfQueries(g, relative, wanted, position);
    x = postNormBlock(g, scopesOf(encoder.at(`layer.${index}`)), { ...options, bias }, x, queries);
  }
  return x;
}

export const mpnet: Architecture = {
  modelType: 'mpnet',
  configure(json) {
    const config = parseMPNetConfig(json);
    return {
      hiddenSize: config.hidden_size,
      vocabularySize: config.vocab_size,
      maxPositions: config.max_position_embeddings - PAD_ID - 1,
      tokenTypes: 1,
      anchor: 'embeddings.word_embeddings.weight',
      hidden: (g, w, inputs, wanted) => hidden(g, w, config, inputs, wanted),
      classifier: robertaClassifier,
      vocabularyHead: robertaVocabularyHead(json, config),
    };
  },
};
