/** Reference: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/t5/modeling_t5.py */
import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import { activation } from '../layers/activation.ts';
import { attention } from '../layers/attention.ts';
import { biasOfQueries } from '../layers/bias-of-queries.ts';
import { rowsByIds } from '../layers/embeddings.ts';
import { linear } from '../layers/linear.ts';
import { queriesOf } from '../layers/queries.ts';
import { relativeBias } from '../layers/relative-buckets.ts';
import { rmsNorm } from '../layers/rms-norm.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import type { Architecture, TextInputs, WantedTokens } from './architecture.ts';
import { parseT5Config, type T5Config } from './t5-config.ts';

/**
 * T5 has no table of positions: tokens farther apart than `relative_attention_max_distance` share a bucket, so any length
 * works, and the model's own `max_seq_length` or `model_max_length` (256 to 512 in practice) decides. This bound is for
 * models that state neither: attention scores and bias take length^2 * heads numbers, 3 GB each at 8192 with 12 heads.
 */
const MAX_POSITIONS = 8192;

const NO_BIAS = { bias: false } as const;

/** `shared.weight` is the table of encoder and decoder; some files repeat it under the encoder's name, or have only that. */
function embeddings(g: GraphBuilder, w: WeightScope, config: T5Config, ids: Value): Value {
  const [name, copy] = ['shared.weight', 'encoder.embed_tokens.weight'];
  const table = w.read(w.has(name) ? name : copy, [config.vocab_size, config.d_model]);
  w.ignore(copy);
  return rowsByIds(g, table, ids);
}

/** T5LayerSelfAttention. Scores are not scaled: the reference's initialisation takes the place of 1 / sqrt(d_kv). */
function selfAttention(
  g: GraphBuilder,
  w: WeightScope,
  config: T5Config,
  { x, queries, bias }: { readonly x: Value; readonly queries: Value; readonly bias: Value },
): Value {
  const width = config.num_heads * config.d_kv;
  const self = w.at('SelfAttention');
  const norm = (value: Value) => rmsNorm(g, w.at('layer_norm'), value, config.layer_norm_epsilon);
  const normed = norm(x);
  const context = attention(
    g,
    {
      query: linear(g, self.at('q'), queries === x ? normed : norm(queries), width, NO_BIAS),
      key: linear(g, self.at('k'), normed, width, NO_BIAS),
      value: linear(g, self.at('v'), normed, width, NO_BIAS),
    },
    { heads: config.num_heads, scale: 1, bias },
  );
  return g.node('Add', [queries, linear(g, self.at('o'), context, config.d_model, NO_BIAS)]);
}

/** T5LayerFF: two matrices, or three where the first is gated by `wi_1`. */
function feedForward(g: GraphBuilder, w: WeightScope, config: T5Config, x: Value): Value {
  const normed = rmsNorm(g, w.at('layer_norm'), x, config.layer_norm_epsilon);
  const dense = w.at('DenseReluDense');
  const widen = (name: string) => linear(g, dense.at(name), normed, config.d_ff, NO_BIAS);
  const inner = config.is_gated_act
    ? g.node('Mul', [activation(g, config.dense_act_fn, widen('wi_0')), widen('wi_1')])
    : activation(g, config.dense_act_fn, widen('wi'));
  return g.node('Add', [x, linear(g, dense.at('wo'), inner, widthOf(x), NO_BIAS)]);
}

/** T5Stack as encoder: the relative bias of block 0 serves every block. */
function hidden(g: GraphBuilder, w: WeightScope, config: T5Config, { ids }: TextInputs, wanted: WantedTokens): Value {
  const buckets = config.relative_attention_num_buckets;
  const table = w.read('encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight', [
    buckets,
    config.num_heads,
  ]);
  const relative = relativeBias(g, table, ids, { buckets, maxDistance: config.relative_attention_max_distance });
  let x = embeddings(g, w, config, ids);
  for (let index = 0; index < config.num_layers; index += 1) {
    const place = { index, count: config.num_layers };
    const block = w.at(`encoder.block.${index}`);
    const queries = queriesOf(g, x, wanted, place);
    const bias = biasOfQueries(g, relative, wanted, place);
    const attended = selfAttention(g, block.at('layer.0'), config, { x, queries, bias });
    x = feedForward(g, block.at('layer.1'), config, attended);
  }
  return rmsNorm(g, w.at('encoder.final_layer_norm'), x, config.layer_norm_epsilon);
}

export const t5: Architecture = {
  modelType: 't5',
  configure(json) {
    const config = parseT5Config(json);
    return {
      hiddenSize: config.d_model,
      vocabularySize: config.vocab_size,
      maxPositions: MAX_POSITIONS,
      tokenTypes: 1,
      anchor: 'encoder.block.0.layer.0.SelfAttention.q.weight',
      hidden: (g, w, inputs, wanted) => hidden(g, w, config, inputs, wanted),
      classifier: undefined,
    };
  },
};
