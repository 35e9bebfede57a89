/**
 * JinaBERT v2, in its two forms, which the tensors tell apart: the text models, and the one with normalised queries and
 * keys of the code models. References, in this order:
 * https://huggingface.co/jinaai/jina-bert-implementation/blob/main/modeling_bert.py
 * https://huggingface.co/jinaai/jina-bert-v2-qk-post-norm/blob/main/modeling_bert.py
 */
import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import { poolerClassifier } from '../heads/classifiers/pooler-classifier.ts';
import { activation } from '../layers/activation.ts';
import { alibi } from '../layers/alibi.ts';
import { attention } from '../layers/attention.ts';
import { biasOfQueries } from '../layers/bias-of-queries.ts';
import { rowsByIds } from '../layers/embeddings.ts';
import { feedForward } from '../layers/feed-forward.ts';
import { gatedLinear } from '../layers/gated-linear.ts';
import { layerNorm } from '../layers/layer-norm.ts';
import { linear } from '../layers/linear.ts';
import { queriesOf } from '../layers/queries.ts';
import { withTokenTypes } from '../layers/token-types.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import type { Architecture, TextInputs, WantedTokens } from './architecture.ts';
import { bertLikeSizes } from './bert-like-config.ts';
import { type JinaBertConfig, parseJinaBertConfig } from './jina-bert-config.ts';

interface BlockInputs {
  /** `[batch, sequence, dim]` */
  readonly x: Value;
  /** Rows of `x` for which the layer is computed. */
  readonly queries: Value;
  /** Of the same rows: `[1, heads, queries, sequence]`. */
  readonly bias: Value;
}

/** JinaBertEmbeddings: words and types, no positions. */
function embeddings(g: GraphBuilder, w: WeightScope, config: JinaBertConfig, { ids, typeIds }: TextInputs): Value {
  const words = w.read('word_embeddings.weight', [config.vocab_size, config.hidden_size]);
  const types = w.read('token_type_embeddings.weight', [config.type_vocab_size, config.hidden_size]);
  w.ignore('position_ids');
  const sum = withTokenTypes(g, rowsByIds(g, words, ids), types, typeIds);
  return layerNorm(g, w.at('LayerNorm'), sum, config.layer_norm_eps);
}

/** JinaBertAttention; `normed` where queries and keys pass a norm over their full width, before heads are split. */
function selfAttention(
  g: GraphBuilder,
  w: WeightScope,
  config: JinaBertConfig,
  { x, queries, bias }: BlockInputs,
  normed: boolean,
): Value {
  const width = widthOf(x);
  const self = w.at('self');
  const normedBy = (name: string, value: Value) =>
    normed ? layerNorm(g, self.at(name), value, config.layer_norm_eps) : value;
  const context = attention(
    g,
    {
      query: normedBy('layer_norm_q', linear(g, self.at('query'), queries, width)),
      key: normedBy('layer_norm_k', linear(g, self.at('key'), x, width)),
      value: linear(g, self.at('value'), x, width),
    },
    { heads: config.num_attention_heads, bias },
  );
  const mixed = linear(g, w.at('output.dense'), context, width);
  return layerNorm(g, w.at('output.LayerNorm'), g.node('Add', [mixed, queries]), config.layer_norm_eps);
}

/** The gate's activation comes from `feed_forward_type` alone: `hidden_act` is for `original`. */
function gateActivation(config: JinaBertConfig): string {
  return config.feed_forward_type === 'reglu' ? 'relu' : 'gelu';
}

/** JinaBertLayer of the text models: the first half of `gated_layers` is activated. */
function textBlock(g: GraphBuilder, w: WeightScope, config: JinaBertConfig, inputs: BlockInputs): Value {
  const attended = selfAttention(g, w.at('attention'), config, inputs, false);
  const width = widthOf(attended);
  const addNormed = (norm: WeightScope, fed: Value) =>
    layerNorm(g, norm, g.node('Add', [fed, attended]), config.layer_norm_eps);
  if (config.feed_forward_type === 'original') {
    const options = { innerWidth: config.intermediate_size, activation: config.hidden_act };
    const fed = feedForward(g, w.at('intermediate.dense'), w.at('output.dense'), attended, options);
    return addNormed(w.at('output.LayerNorm'), fed);
  }
  const gated = gatedLinear(g, attended, w.read('mlp.gated_layers.weight', [2 * config.intermediate_size, width]), {
    activation: gateActivation(config),
    activated: 'first',
  });
  return addNormed(w.at('mlp.layernorm'), linear(g, w.at('mlp.wo'), gated, width));
}

/** JinaBertMLP or JinaBertGLUMLP of the code models: the second half of `up_gated_layer` is activated. */
function codeFeedForward(g: GraphBuilder, w: WeightScope, config: JinaBertConfig, x: Value): Value {
  const width = widthOf(x);
  const inner =
    config.feed_forward_type === 'original'
      ? activation(g, config.hidden_act, linear(g, w.at('up_layer'), x, config.intermediate_size, { bias: false }))
      : gatedLinear(g, x, w.read('up_gated_layer.weight', [2 * config.intermediate_size, width]), {
          activation: gateActivation(config),
          activated: 'second',
        });
  return linear(g, w.at('down_layer'), inner, width);
}

/** JinaBertLayer of the code models: what goes in is added twice, in the attention's output and again after it. */
function codeBlock(g: GraphBuilder, w: WeightScope, config: JinaBertConfig, inputs: BlockInputs): Value {
  const attended = selfAttention(g, w.at('attention'), config, inputs, true);
  const twice = g.node('Add', [inputs.queries, attended]);
  const residual = layerNorm(g, w.at('layer_norm_1'), twice, config.layer_norm_eps);
  const fed = codeFeedForward(g, w.at('mlp'), config, residual);
  return layerNorm(g, w.at('layer_norm_2'), g.node('Add', [residual, fed]), config.layer_norm_eps);
}

function hidden(
  g: GraphBuilder,
  w: WeightScope,
  config: JinaBertConfig,
  inputs: TextInputs,
  wanted: WantedTokens,
): Value {
  const block = w.has('encoder.layer.0.layer_norm_1.weight') ? codeBlock : textBlock;
  const distances = alibi(g, inputs.ids, config.num_attention_heads);
  let x = embeddings(g, w.at('embeddings'), config, inputs);
  for (let index = 0; index < config.num_hidden_layers; index += 1) {
    const place = { index, count: config.num_hidden_layers };
    const queries = queriesOf(g, x, wanted, place);
    const bias = biasOfQueries(g, distances, wanted, place);
    x = block(g, w.at(`encoder.layer.${index}`), config, { x, queries, bias });
  }
  return x;
}

export const jinaBert: Architecture = {
  modelType: 'bert',
  /** 'alibi' is no value of BertConfig. `auto_map` says nothing: it is copied, renamed and lost with the checkpoints. */
  accepts: (config) => config.position_embedding_type === 'alibi',
  configure(json) {
    const config = parseJinaBertConfig(json);
    return {
      ...bertLikeSizes(config),
      hidden: (g, w, inputs, wanted) => hidden(g, w, config, inputs, wanted),
      classifier: poolerClassifier,
    };
  },
};
