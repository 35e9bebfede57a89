/** Reference: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/modernbert/modeling_modernbert.py */
import type { JsonObject } from '../../contracts/json.ts';
import { ConfigFields } from '../config/config-fields.ts';
import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { predictionHeadClassifier } from '../heads/classifiers/prediction-head-classifier.ts';
import { maskedLmHead } from '../heads/vocabulary/masked-lm-head.ts';
import { attention } from '../layers/attention.ts';
import { rowsByIds } from '../layers/embeddings.ts';
import { gatedLinear } from '../layers/gated-linear.ts';
import { layerNorm } from '../layers/layer-norm.ts';
import { linear } from '../layers/linear.ts';
import { linearPart } from '../layers/linear-part.ts';
import { type LocalBlocks, localAttention, localBlocks } from '../layers/local-attention.ts';
import { queriesOf } from '../layers/queries.ts';
import { rotaryTable } from '../layers/rope-scaling.ts';
import { type RotaryTable, rotary } from '../layers/rotary.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import type { Architecture, TextInputs, WantedTokens } from './architecture.ts';
import { type ModernBertConfig, parseModernBertConfig } from './modernbert-config.ts';

function norm(g: GraphBuilder, w: WeightScope, config: ModernBertConfig, x: Value): Value {
  return layerNorm(g, w, x, config.norm_eps, { bias: config.norm_bias });
}

/** ModernBertMLP: of what `Wi` gives, the first half is activated and the second is the gate. */
function gatedFeedForward(g: GraphBuilder, w: WeightScope, config: ModernBertConfig, x: Value): Value {
  const rows = 2 * config.intermediate_size;
  const gated = gatedLinear(g, x, w.read('Wi.weight', [rows, config.hidden_size]), {
    activation: config.hidden_activation,
    activated: 'first',
    bias: config.mlp_bias ? w.read('Wi.bias', [rows]) : undefined,
  });
  return linear(g, w.at('Wo'), gated, config.hidden_size, { bias: config.mlp_bias });
}

interface LayerAttention {
  readonly angles: RotaryTable;
  /** `undefined` in a layer where all tokens see each other. */
  readonly blocks: LocalBlocks | undefined;
  readonly wanted: WantedTokens;
}

/** ModernBertAttention: tokens `x` `[batch, sequence, dim]`, of which `queries` are some. */
function selfAttention(
  g: GraphBuilder,
  w: WeightScope,
  config: ModernBertConfig,
  { x, queries }: { readonly x: Value; readonly queries: Value },
  { angles, blocks, wanted }: LayerAttention,
): Value {
  const { num_attention_heads: heads, hidden_size: width, attention_bias: bias } = config;
  const project = (part: number, rows: Value) => linearPart(g, w.at('Wqkv'), rows, width, { part, of: 3, bias });
  const query = rotary(g, project(0, queries), heads, angles);
  const key = rotary(g, project(1, x), heads, angles);
  const inputs = { query, key, value: project(2, x) };
  const context =
    blocks === undefined ? attention(g, inputs, { heads }) : localAttention(g, inputs, blocks, { heads, wanted });
  return linear(g, w.at('Wo'), context, width, { bias });
}

/** ModernBertModel */
function hidden(g: GraphBuilder, w: WeightScope, config: ModernBertConfig, inputs: TextInputs, wanted: WantedTokens) {
  const { hidden_size: width, max_position_embeddings: positions, num_hidden_layers: count } = config;
  const headWidth = width / config.num_attention_heads;
  // Queries are turned by their place among the queries: right for the first token alone, not for the last.
  const rows = wanted === 'first' ? 'first' : 'all';
  const local = localBlocks(g, inputs.ids, { reach: Math.floor(config.local_attention / 2) });
  const words = w.read('embeddings.tok_embeddings.weight', [config.vocab_size, width]);
  let x = norm(g, w.at('embeddings.norm'), config, rowsByIds(g, words, inputs.ids));
  for (const [index, isGlobal] of config.globalLayers.entries()) {
    const layer = w.at(`layers.${index}`);
    const place = { index, count };
    const normed = index === 0 ? x : norm(g, layer.at('attn_norm'), config, x);
    const among = { x: normed, queries: queriesOf(g, normed, rows, place) };
    const seen = {
      angles: rotaryTable(isGlobal ? config.globalRope : config.localRope, headWidth, positions),
      blocks: isGlobal ? undefined : local,
      wanted: index < count - 1 ? 'all' : rows,
    } as const;
    const mixed = selfAttention(g, layer.at('attn'), config, among, seen);
    const attended = g.node('Add', [mixed, queriesOf(g, x, rows, place)]);
    const fed = gatedFeedForward(g, layer.at('mlp'), config, norm(g, layer.at('mlp_norm'), config, attended));
    x = g.node('Add', [fed, attended]);
  }
  return norm(g, w.at('final_norm'), config, x);
}

/** ModernBertForMaskedLM: its head is that of the classification */
function vocabularyHead(json: JsonObject, config: ModernBertConfig) {
  return maskedLmHead({
    dense: 'head.dense',
    norm: 'head.norm',
    decoder: 'decoder',
    embeddings: 'embeddings.tok_embeddings.weight',
    tied: new ConfigFields(json, 'config.json').flag('tie_word_embeddings', true),
    vocabularySize: config.vocab_size,
    width: config.hidden_size,
    activation: config.classifier_activation,
    epsilon: config.norm_eps,
    denseBias: config.classifier_bias,
    normBias: config.norm_bias,
    decoderBias: config.decoder_bias,
  });
}

export const modernBert: Architecture = {
  modelType: 'modernbert',
  configure(json) {
    const config = parseModernBertConfig(json);
    return {
      hiddenSize: config.hidden_size,
      vocabularySize: config.vocab_size,
      maxPositions: config.max_position_embeddings,
      tokenTypes: 1,
      anchor: 'embeddings.tok_embeddings.weight',
      hidden: (g, w, inputs, wanted) => hidden(g, w, config, inputs, wanted),
      classifier: predictionHeadClassifier({
        pooling: config.classifier_pooling,
        activation: config.classifier_activation,
        bias: config.classifier_bias,
        normBias: config.norm_bias,
        epsilon: config.norm_eps,
      }),
      vocabularyHead: vocabularyHead(json, config),
    };
  },
};
