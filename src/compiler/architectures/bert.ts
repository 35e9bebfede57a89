/** Reference: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/bert/modeling_bert.py */
import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import { poolerClassifier } from '../heads/classifiers/pooler-classifier.ts';
import { attention } from '../layers/attention.ts';
import { rowsByIds, rowsByPosition } from '../layers/embeddings.ts';
import { feedForward } from '../layers/feed-forward.ts';
import { layerNorm } from '../layers/layer-norm.ts';
import { linear } from '../layers/linear.ts';
import { queriesOf } from '../layers/queries.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import { withRowAdded } from '../weights/with-row-added.ts';
import type { Architecture, TextInputs, WantedTokens } from './architecture.ts';
import { type BertConfig, parseBertConfig } from './bert-config.ts';

/** BertEmbeddings */
function embeddings(g: GraphBuilder, w: WeightScope, config: BertConfig, inputs: TextInputs): Value {
  const words = w.read('word_embeddings.weight', [config.vocab_size, config.hidden_size]);
  const positions = w.read('position_embeddings.weight', [config.max_position_embeddings, config.hidden_size]);
  const types = w.read('token_type_embeddings.weight', [config.type_vocab_size, config.hidden_size]);
  w.ignore('position_ids');
  w.ignore('token_type_ids');
  const word = rowsByIds(g, words, inputs.ids);
  if (inputs.typeIds === undefined) {
    const place = rowsByPosition(g, withRowAdded(positions, types), inputs.ids);
    return layerNorm(g, w.at('LayerNorm'), g.node('Add', [word, place]), config.layer_norm_eps);
  }
  const typed = g.node('Add', [word, rowsByIds(g, types, inputs.typeIds)]);
  const placed = g.node('Add', [typed, rowsByPosition(g, positions, inputs.ids)]);
  return layerNorm(g, w.at('LayerNorm'), placed, config.layer_norm_eps);
}

/** BertLayer: `x` `[batch, sequence, dim]`; the result has the rows of `queries`, which are rows of `x`. */
function block(g: GraphBuilder, w: WeightScope, config: BertConfig, x: Value, queries: Value): Value {
  const width = widthOf(x);
  const self = w.at('attention.self');
  const context = attention(
    g,
    {
      query: linear(g, self.at('query'), queries, width),
      key: linear(g, self.at('key'), x, width),
      value: linear(g, self.at('value'), x, width),
    },
    { heads: config.num_attention_heads },
  );
  const mixed = linear(g, w.at('attention.output.dense'), context, width);
  const attended = layerNorm(
    g,
    w.at('attention.output.LayerNorm'),
    g.node('Add', [mixed, queries]),
    config.layer_norm_eps,
  );
  const fed = feedForward(g, w.at('intermediate.dense'), w.at('output.dense'), attended, {
    innerWidth: config.intermediate_size,
    activation: config.hidden_act,
  });
  return layerNorm(g, w.at('output.LayerNorm'), g.node('Add', [fed, attended]), config.layer_norm_eps);
}

/** BertModel without its pooler. */
function hidden(g: GraphBuilder, w: WeightScope, config: BertConfig, inputs: TextInputs, wanted: WantedTokens): Value {
  let x = embeddings(g, w.at('embeddings'), config, inputs);
  for (let index = 0; index < config.num_hidden_layers; index += 1) {
    const queries = queriesOf(g, x, wanted, { index, count: config.num_hidden_layers });
    x = block(g, w.at(`encoder.layer.${index}`), config, x, queries);
  }
  return x;
}

export const bert: Architecture = {
  modelType: 'bert',
  configure(json) {
    const config = parseBertConfig(json);
    return {
      hiddenSize: config.hidden_size,
      vocabularySize: config.vocab_size,
      maxPositions: config.max_position_embeddings,
      tokenTypes: config.type_vocab_size,
      anchor: 'embeddings.word_embeddings.weight',
      hidden: (g, w, inputs, wanted) => hidden(g, w, config, inputs, wanted),
      classifier: poolerClassifier,
    };
  },
};
