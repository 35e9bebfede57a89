/**
 * Alibaba's "new" encoder: GTE v1.5 and multilingual, Snowflake Arctic 2.
 * Reference: https://huggingface.co/Alibaba-NLP/new-impl/blob/main/modeling.py
 */
import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import { poolerClassifier } from '../heads/classifiers/pooler-classifier.ts';
import { attention } from '../layers/attention.ts';
import { rowsByIds, rowsByPosition } from '../layers/embeddings.ts';
import { gatedLinear } from '../layers/gated-linear.ts';
import { layerNorm } from '../layers/layer-norm.ts';
import { linear } from '../layers/linear.ts';
import { linearPart } from '../layers/linear-part.ts';
import { queriesOf } from '../layers/queries.ts';
import { rmsNorm } from '../layers/rms-norm.ts';
import { rotaryTable } from '../layers/rope-scaling.ts';
import { rotary } from '../layers/rotary.ts';
import { withTokenTypes } from '../layers/token-types.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import { type AlibabaNewConfig, type AlibabaNewDefaults, parseAlibabaNewConfig } from './alibaba-new-config.ts';
import type { Architecture, TextInputs, WantedTokens } from './architecture.ts';
import { bertLikeSizes } from './bert-like-config.ts';

/** NewEmbeddings */
function embeddings(g: GraphBuilder, w: WeightScope, config: AlibabaNewConfig, inputs: TextInputs): Value {
  const { hidden_size: width, type_vocab_size: typeCount } = config;
  let x = rowsByIds(g, w.read('word_embeddings.weight', [config.vocab_size, width]), inputs.ids);
  w.ignore('position_ids');
  if (typeCount > 0) {
    x = withTokenTypes(g, x, w.read('token_type_embeddings.weight', [typeCount, width]), inputs.typeIds);
  }
  if (config.position_embedding_type === 'absolute') {
    const positions = w.read('position_embeddings.weight', [config.max_position_embeddings, width]);
    x = g.node('Add', [x, rowsByPosition(g, positions, inputs.ids)]);
  }
  return layerNorm(g, w.at('LayerNorm'), x, config.layer_norm_eps);
}

/** NewAttention: tokens `x` `[batch, sequence, dim]`, of which `queries` are some. */
function selfAttention(g: GraphBuilder, w: WeightScope, config: AlibabaNewConfig, x: Value, queries: Value): Value {
  const heads = config.num_attention_heads;
  const width = widthOf(x);
  const project = (part: number, name: string, rows: Value) =>
    config.pack_qkv
      ? linearPart(g, w.at('qkv_proj'), rows, width, { part, of: 3 })
      : linear(g, w.at(name), rows, width);
  const angles = rotaryTable(config.rope, width / heads, config.max_position_embeddings);
  const placed = (rows: Value) => (config.position_embedding_type === 'rope' ? rotary(g, rows, heads, angles) : rows);
  const query = placed(project(0, 'q_proj', queries));
  const key = placed(project(1, 'k_proj', x));
  const context = attention(g, { query, key, value: project(2, 'v_proj', x) }, { heads });
  return linear(g, w.at('o_proj'), context, width);
}

/** NewGatedMLP: of what `up_gate_proj` gives, the second half is activated. */
function gatedFeedForward(g: GraphBuilder, w: WeightScope, config: AlibabaNewConfig, x: Value): Value {
  const weight = w.read('up_gate_proj.weight', [2 * config.intermediate_size, widthOf(x)]);
  const gated = gatedLinear(g, x, weight, { activation: config.hidden_act, activated: 'second' });
  return linear(g, w.at('down_proj'), gated, widthOf(x));
}

/** NewLayer: `x` `[batch, sequence, dim]`; the result has the rows of `queries`, which are rows of `x`. */
function block(g: GraphBuilder, w: WeightScope, config: AlibabaNewConfig, x: Value, queries: Value): Value {
  const norm = config.layer_norm_type === 'layer_norm' ? layerNorm : rmsNorm;
  const mixed = selfAttention(g, w.at('attention'), config, x, queries);
  const attended = norm(g, w.at('attn_ln'), g.node('Add', [queries, mixed]), config.layer_norm_eps);
  const fed = gatedFeedForward(g, w.at('mlp'), config, attended);
  return norm(g, w.at('mlp_ln'), g.node('Add', [attended, fed]), config.layer_norm_eps);
}

/** NewModel without its pooler. */
function hidden(g: GraphBuilder, w: WeightScope, config: AlibabaNewConfig, inputs: TextInputs, wanted: WantedTokens) {
  const count = config.num_hidden_layers;
  // Queries are turned by their place among the queries: right for the first token alone, not for the last.
  const rows = wanted === 'first' ? 'first' : 'all';
  let x = embeddings(g, w.at('embeddings'), config, inputs);
  for (let index = 0; index < count; index += 1) {
    x = block(g, w.at(`encoder.layer.${index}`), config, x, queriesOf(g, x, rows, { index, count }));
  }
  return x;
}

function family(modelType: string, defaults: AlibabaNewDefaults): Architecture {
  return {
    modelType,
    configure(json) {
      const config = parseAlibabaNewConfig(modelType, json, defaults);
      return {
        ...bertLikeSizes(config),
        hidden: (g, w, inputs, wanted) => hidden(g, w, config, inputs, wanted),
        classifier: poolerClassifier,
      };
    },
  };
}

/** The code on the hub. */
export const alibabaNew = family('new', {
  vocab_size: 30528,
  max_position_embeddings: 2048,
  rope_theta: 10000,
});

/** The same in Snowflake's Arctic 2 and in transformers 5, with other defaults. */
export const alibabaGte = family('gte', {
  vocab_size: 250048,
  max_position_embeddings: 8192,
  rope_theta: 160000,
});
