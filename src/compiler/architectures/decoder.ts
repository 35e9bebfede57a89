/**
 * The decoder of Llama and its relatives, which embedders and rerankers are made of.
 * Reference: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/llama/modeling_llama.py
 * and, for Gemma's norms, https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/gemma2/modeling_gemma2.py
 */
import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { lastTokenClassifier } from '../heads/classifiers/last-token-classifier.ts';
import { attention } from '../layers/attention.ts';
import { causalAttention, type RunLengths, runLengths } from '../layers/causal-attention.ts';
import { rowsByIds } from '../layers/embeddings.ts';
import { gatedFeedForward } from '../layers/gated-feed-forward.ts';
import { headNorm } from '../layers/head-norm.ts';
import { linear } from '../layers/linear.ts';
import { type LocalBlocks, localAttention, localBlocks } from '../layers/local-attention.ts';
import { queriesOf } from '../layers/queries.ts';
import { repeatHeads } from '../layers/repeat-heads.ts';
import { rmsNorm } from '../layers/rms-norm.ts';
import { rotary } from '../layers/rotary.ts';
import { computed } from '../weights/computed.ts';
import type { Weight } from '../weights/weight.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import type { TextInputs, TextModel, WantedTokens } from './architecture.ts';
import { type DecoderConfig, type DecoderLayer, takesGroupedHeads } from './decoder-config.ts';

/** What the layers of one graph share: lengths for grouped attention, otherwise the blocks of local attention. */
interface Sight {
  readonly lengths: RunLengths | undefined;
  /** By reach. */
  readonly blocks: ReadonlyMap<number, LocalBlocks>;
}

function lookAround(g: GraphBuilder, config: DecoderConfig, ids: Value): Sight {
  if (takesGroupedHeads(config)) return { lengths: runLengths(g, ids), blocks: new Map() };
  const reaches = new Set(config.layers.flatMap(({ reach }) => reach ?? []));
  const blocksOf = (reach: number) => localBlocks(g, ids, { reach, causal: config.causal });
  return { lengths: undefined, blocks: new Map([...reaches].map((reach) => [reach, blocksOf(reach)])) };
}

/** The word embeddings, `[batch, sequence, dim]`. */
function embeddings(g: GraphBuilder, w: WeightScope, config: DecoderConfig, ids: Value): Value {
  const words = rowsByIds(g, w.read('embed_tokens.weight', [config.vocab_size, config.hidden_size]), ids);
  const scale = config.embeddingScale;
  if (scale === undefined) return words;
  return g.node('Mul', [words, g.constant(computed(`embedding scale ${scale}`, [1], () => Float32Array.of(scale)))]);
}

/** LlamaAttention without its output layer: `x` `[batch, sequence, dim]` to `[batch, sequence, heads * head_dim]`. */
function attend(
  g: GraphBuilder,
  w: WeightScope,
  config: DecoderConfig,
  x: Value,
  { reach, rotary: table }: DecoderLayer,
  sight: Sight,
): Value {
  const { num_attention_heads: heads, num_key_value_heads: keyValueHeads, head_dim } = config;
  w.ignore('rotary_emb.inv_freq');
  const project = (name: string, count: number) =>
    linear(g, w.at(`${name}_proj`), x, count * head_dim, { bias: config.bias.queryKeyValue });
  const turned = (name: 'q' | 'k', count: number) => {
    const projected = project(name, count);
    const plusOne = config.sandwichNorms;
    return rotary(
      g,
      config.headNorms
        ? headNorm(g, w.at(`${name}_norm`), projected, count, config.rms_norm_eps, { plusOne })
        : projected,
      count,
      table,
    );
  };
  const inputs = { query: turned('q', heads), key: turned('k', keyValueHeads), value: project('v', keyValueHeads) };
  const scale = config.scoreScale;
  if (sight.lengths !== undefined) {
    const softcap = config.scoreSoftcap;
    return causalAttention(g, inputs, { heads, keyValueHeads, lengths: sight.lengths, scale, reach, softcap });
  }
  const repeated = {
    query: inputs.query,
    key: repeatHeads(g, inputs.key, { heads, keyValueHeads }),
    value: repeatHeads(g, inputs.value, { heads, keyValueHeads }),
  };
  const blocks = reach === undefined ? undefined : sight.blocks.get(reach);
  return blocks === undefined
    ? attention(g, repeated, { heads, scale, causal: config.causal })
    : localAttention(g, repeated, blocks, { heads, scale });
}

/** LlamaDecoderLayer or Gemma2DecoderLayer: `context` is the result of attention for the rows `x` that are kept. */
function finishBlock(g: GraphBuilder, w: WeightScope, config: DecoderConfig, x: Value, context: Value): Value {
  const plusOne = config.sandwichNorms;
  const norm = (name: string, value: Value) => rmsNorm(g, w.at(name), value, config.rms_norm_eps, { plusOne });
  const bias = { bias: config.bias.output };
  const mixed = linear(g, w.at('self_attn.o_proj'), context, config.hidden_size, bias);
  const feedForward = (value: Value) =>
    gatedFeedForward(g, w.at('mlp'), value, {
      innerWidth: config.intermediate_size,
      activation: config.activation,
      bias: config.bias.feedForward,
    });
  if (!config.sandwichNorms) {
    const attended = g.node('Add', [x, mixed]);
    return g.node('Add', [attended, feedForward(norm('post_attention_layernorm', attended))]);
  }
  const attended = g.node('Add', [x, norm('post_attention_layernorm', mixed)]);
  const fed = feedForward(norm('pre_feedforward_layernorm', attended));
  return g.node('Add', [attended, norm('post_feedforward_layernorm', fed)]);
}

/** LlamaModel. Where one token is wanted, the last layer attends for all and does the rest for that one. */
function hidden(
  g: GraphBuilder,
  w: WeightScope,
  config: DecoderConfig,
  inputs: TextInputs,
  wanted: WantedTokens,
): Value {
  const plusOne = config.sandwichNorms;
  const sight = lookAround(g, config, inputs.ids);
  let x = embeddings(g, w, config, inputs.ids);
  for (const [index, layer] of config.layers.entries()) {
    const block = w.at(`layers.${index}`);
    const normed = rmsNorm(g, block.at('input_layernorm'), x, config.rms_norm_eps, { plusOne });
    const context = attend(g, block.at('self_attn'), config, normed, layer, sight);
    const kept = (value: Value) => queriesOf(g, value, wanted, { index, count: config.layers.length });
    x = finishBlock(g, block, config, kept(x), kept(context));
  }
  return rmsNorm(g, w.at('norm'), x, config.rms_norm_eps, { plusOne });
}

/** The output layer over the vocabulary; many checkpoints store a tied one twice. */
function outputMatrix(root: WeightScope, body: WeightScope, config: DecoderConfig): Weight {
  const dims = [config.vocab_size, config.hidden_size];
  if (!config.tiedEmbeddings) return root.read('lm_head.weight', dims);
  root.ignore('lm_head.weight');
  return body.read('embed_tokens.weight', dims);
}

/** A decoder as a text model. Gemma is not scored by its next token: it caps those logits. */
export function decoder(config: DecoderConfig): TextModel {
  return {
    hiddenSize: config.hidden_size,
    vocabularySize: config.vocab_size,
    maxPositions: config.max_position_embeddings,
    tokenTypes: 1,
    anchor: 'embed_tokens.weight',
    hidden: (g, w, inputs, wanted) => hidden(g, w, config, inputs, wanted),
    classifier: lastTokenClassifier(config.padTokenId),
    ...(config.sandwichNorms
      ? {}
      : { outputMatrix: (root: WeightScope, body: WeightScope) => outputMatrix(root, body, config) }),
  };
}
