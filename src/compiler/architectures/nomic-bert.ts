/** Reference: https://huggingface.co/nomic-ai/nomic-bert-2048/blob/main/modeling_hf_nomic_bert.py */
import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import { poolerClassifier } from '../heads/classifiers/pooler-classifier.ts';
import { activation } from '../layers/activation.ts';
import { attention } from '../layers/attention.ts';
import { dynamicNtk } from '../layers/dynamic-ntk.ts';
import { rowsByIds, rowsByPosition } from '../layers/embeddings.ts';
import { layerNorm } from '../layers/layer-norm.ts';
import { linear } from '../layers/linear.ts';
import { linearPart } from '../layers/linear-part.ts';
import { mixtureOfExperts } from '../layers/mixture-of-experts.ts';
import { queriesOf } from '../layers/queries.ts';
import { rotaryTable } from '../layers/rope-scaling.ts';
import { type RotaryValues, rotary, rotaryValues } from '../layers/rotary.ts';
import { withTokenTypes } from '../layers/token-types.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import type { Architecture, TextInputs, WantedTokens } from './architecture.ts';
import { type NomicBertConfig, parseNomicBertConfig } from './nomic-bert-config.ts';

/** NomicBertEmbeddings */
function embeddings(g: GraphBuilder, w: WeightScope, config: NomicBertConfig, inputs: TextInputs): Value {
  const { n_embd: width, type_vocab_size: typeCount } = config;
  const words = rowsByIds(g, w.read('word_embeddings.weight', [config.vocab_size, width]), inputs.ids);
  const typed =
    typeCount === 0
      ? words
      : withTokenTypes(g, words, w.read('token_type_embeddings.weight', [typeCount, width]), inputs.typeIds);
  if (config.rotaryWidth > 0) return typed;
  const positions = w.read('position_embeddings.weight', [config.n_positions, width]);
  return g.node('Add', [typed, rowsByPosition(g, positions, inputs.ids)]);
}

/** The turns that positions give to the heads; `undefined` where positions are in the embeddings. */
function anglesOf(g: GraphBuilder, config: NomicBertConfig, ids: Value): RotaryValues | undefined {
  const { rotaryWidth: width, rope, rotary_scaling_factor: factor, max_trained_positions: trainedPositions } = config;
  if (width === 0) return undefined;
  if (factor === undefined) return rotaryValues(g, rotaryTable(rope, width, config.n_positions));
  return dynamicNtk(g, ids, { width, theta: rope.rope_theta, trainedPositions, factor });
}

/** What a block works on. */
interface Tokens {
  /** `[batch, sequence, dim]` */
  readonly x: Value;
  /** Rows of `x`: those that the block computes. */
  readonly queries: Value;
  readonly angles: RotaryValues | undefined;
}

/** NomicBertAttention */
function selfAttention(
  g: GraphBuilder,
  w: WeightScope,
  config: NomicBertConfig,
  { x, queries, angles }: Tokens,
): Value {
  const { n_head: heads, qkv_proj_bias: bias } = config;
  const width = widthOf(x);
  const project = (part: number, rows: Value) => linearPart(g, w.at('Wqkv'), rows, width, { part, of: 3, bias });
  const placed = (rows: Value) => (angles === undefined ? rows : rotary(g, rows, heads, angles));
  const inputs = { query: placed(project(0, queries)), key: placed(project(1, x)), value: project(2, x) };
  return linear(g, w.at('out_proj'), attention(g, inputs, { heads }), width, { bias });
}

/** NomicBertMLP, or NomicBertGatedMLP, where `fc12` is the part that is activated. */
function feedForward(g: GraphBuilder, w: WeightScope, config: NomicBertConfig, x: Value): Value {
  const { activation: name, gated } = config.feedForward;
  const inner = (layer: string) => linear(g, w.at(layer), x, config.n_inner, { bias: config.mlp_fc1_bias });
  const widened = gated
    ? g.node('Mul', [inner('fc11'), activation(g, name, inner('fc12'))])
    : activation(g, name, inner('fc1'));
  return linear(g, w.at('fc2'), widened, widthOf(x), { bias: config.mlp_fc2_bias });
}

/** NomicBertBlock: the result has the rows of the queries. */
function block(g: GraphBuilder, w: WeightScope, config: NomicBertConfig, tokens: Tokens, hasExperts: boolean): Value {
  const epsilon = config.layer_norm_epsilon;
  const mixed = selfAttention(g, w.at('attn'), config, tokens);
  const attended = layerNorm(g, w.at('norm1'), g.node('Add', [mixed, tokens.queries]), epsilon);
  const fed = hasExperts
    ? mixtureOfExperts(g, w.at('mlp'), attended, {
        count: config.num_experts,
        perToken: config.moe_top_k,
        innerWidth: config.n_inner,
        activation: config.feedForward.activation,
      })
    : feedForward(g, w.at('mlp'), config, attended);
  return layerNorm(g, w.at('norm2'), g.node('Add', [fed, attended]), epsilon);
}

/** NomicBertModel without its pooler. */
function hidden(g: GraphBuilder, w: WeightScope, config: NomicBertConfig, inputs: TextInputs, wanted: WantedTokens) {
  const { n_layer: count, moe_every_n_layers: every } = config;
  // Queries are turned by their place among the queries: right for the first token alone, not for the last.
  const rows = wanted === 'first' ? 'first' : 'all';
  const angles = anglesOf(g, config, inputs.ids);
  let x = layerNorm(g, w.at('emb_ln'), embeddings(g, w.at('embeddings'), config, inputs), config.layer_norm_epsilon);
  for (let index = 0; index < count; index += 1) {
    const tokens = { x, queries: queriesOf(g, x, rows, { index, count }), angles };
    x = block(g, w.at(`encoder.layers.${index}`), config, tokens, every > 0 && index % every === 1);
  }
  return x;
}

export const nomicBert: Architecture = {
  modelType: 'nomic_bert',
  configure(json) {
    const config = parseNomicBertConfig(json);
    return {
      hiddenSize: config.n_embd,
      vocabularySize: config.vocab_size,
      maxPositions: config.n_positions,
      tokenTypes: Math.max(config.type_vocab_size, 1),
      anchor: 'embeddings.word_embeddings.weight',
      hidden: (g, w, inputs, wanted) => hidden(g, w, config, inputs, wanted),
      classifier: poolerClassifier,
    };
  },
};
