/**
 * DeBERTa v2 and v3.
 * Reference: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/deberta_v2/modeling_deberta_v2.py
 */
import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import { contextPoolerClassifier } from '../heads/classifiers/context-pooler-classifier.ts';
import { attention } from '../layers/attention.ts';
import { type PairIndices, pairIndices, positionScores } from '../layers/disentangled-bias.ts';
import { rowsByIds, rowsByPosition } from '../layers/embeddings.ts';
import { feedForward } from '../layers/feed-forward.ts';
import { layerNorm } from '../layers/layer-norm.ts';
import { linear } from '../layers/linear.ts';
import { queriesOf } from '../layers/queries.ts';
import { relativeRowCount } from '../layers/relative-log-buckets.ts';
import { withTokenTypes } from '../layers/token-types.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import type { Architecture, TextInputs, WantedTokens } from './architecture.ts';
import { bertLikeSizes } from './bert-like-config.ts';
import { type DebertaV2Config, parseDebertaV2Config } from './deberta-v2-config.ts';

/** What attention needs of relative positions: the table `[rows, dim]`, and where each pair of tokens looks. */
interface RelativePositions {
  readonly table: Value;
  readonly indices: PairIndices;
}

/** DebertaV2Embeddings */
function embeddings(g: GraphBuilder, w: WeightScope, config: DebertaV2Config, inputs: TextInputs): Value {
  const width = config.embedding_size;
  let x = rowsByIds(g, w.read('word_embeddings.weight', [config.vocab_size, width]), inputs.ids);
  w.ignore('position_ids');
  if (config.position_biased_input) {
    const positions = w.read('position_embeddings.weight', [config.max_position_embeddings, width]);
    x = g.node('Add', [x, rowsByPosition(g, positions, inputs.ids)]);
  }
  if (config.type_vocab_size > 0) {
    const types = w.read('token_type_embeddings.weight', [config.type_vocab_size, width]);
    x = withTokenTypes(g, x, types, inputs.typeIds);
  }
  if (width !== config.hidden_size) x = linear(g, w.at('embed_proj'), x, config.hidden_size, { bias: false });
  return layerNorm(g, w.at('LayerNorm'), x, config.layer_norm_eps);
}

/** Of the encoder: one table for all layers. */
function relativeTable(g: GraphBuilder, w: WeightScope, config: DebertaV2Config): Value {
  const rows = relativeRowCount(config.relativePositions);
  const table = g.constant(w.read('rel_embeddings.weight', [rows, config.hidden_size]));
  return config.normalizedPositions ? layerNorm(g, w.at('LayerNorm'), table, config.layer_norm_eps) : table;
}

interface SelfAttention {
  readonly query: Value;
  readonly key: Value;
  readonly scale: number;
}

/** The position terms of the scores: `[batch, heads, queries, keys]`, `undefined` where there are none. */
function positionBias(
  g: GraphBuilder,
  self: WeightScope,
  config: DebertaV2Config,
  { query, key, scale }: SelfAttention,
  relative: RelativePositions | undefined,
): Value | undefined {
  if (relative === undefined) return undefined;
  const { pos_att_type: terms, share_att_key: shared, num_attention_heads: heads, hidden_size: width } = config;
  const { table, indices } = relative;
  const project = (own: string, sharedWith: string) => linear(g, self.at(shared ? sharedWith : own), table, width);
  const scores: Value[] = [];
  if (terms.c2p) {
    const positions = project('pos_key_proj', 'key_proj');
    scores.push(positionScores(g, { content: query, positions, indices: indices.byQuery }, heads, scale));
  }
  if (terms.p2c) {
    const positions = project('pos_query_proj', 'query_proj');
    scores.push(positionScores(g, { content: key, positions, indices: indices.byKey }, heads, scale));
  }
  const [first, second] = scores;
  return first === undefined || second === undefined ? first : g.node('Add', [first, second]);
}

/** DebertaV2Layer: `x` `[batch, sequence, dim]`; the result has the rows of `queries`, which are rows of `x`. */
function block(
  g: GraphBuilder,
  w: WeightScope,
  config: DebertaV2Config,
  { x, queries }: { readonly x: Value; readonly queries: Value },
  relative: RelativePositions | undefined,
): Value {
  const { num_attention_heads: heads, layer_norm_eps: epsilon, pos_att_type: terms } = config;
  const width = widthOf(x);
  const self = w.at('attention.self');
  const query = linear(g, self.at('query_proj'), queries, width);
  const key = linear(g, self.at('key_proj'), x, width);
  const value = linear(g, self.at('value_proj'), x, width);
  const termCount = 1 + Number(terms.c2p) + Number(terms.p2c);
  const scale = 1 / Math.sqrt((width / heads) * termCount);
  const bias = positionBias(g, self, config, { query, key, scale }, relative);
  const context = attention(g, { query, key, value }, { heads, scale, bias });
  const mixed = linear(g, w.at('attention.output.dense'), context, width);
  const attended = layerNorm(g, w.at('attention.output.LayerNorm'), g.node('Add', [mixed, queries]), epsilon);
  const fed = feedForward(g, w.at('intermediate.dense'), w.at('output.dense'), attended, {
    innerWidth: config.intermediate_size,
    activation: config.hidden_act,
  });
  return layerNorm(g, w.at('output.LayerNorm'), g.node('Add', [fed, attended]), epsilon);
}

/** DebertaV2Model */
function hidden(g: GraphBuilder, w: WeightScope, config: DebertaV2Config, inputs: TextInputs, wanted: WantedTokens) {
  const { max_position_embeddings: longest, relativePositions: buckets, num_hidden_layers: count } = config;
  const encoder = w.at('encoder');
  const table = config.relative_attention ? relativeTable(g, encoder, config) : undefined;
  const relativeTo = (oneQuery?: 'first' | 'last'): RelativePositions | undefined =>
    table && { table, indices: pairIndices(g, inputs.ids, longest, buckets, oneQuery) };
  const ofAll = relativeTo();
  const ofWanted = wanted === 'all' ? ofAll : relativeTo(wanted);
  let x = embeddings(g, w.at('embeddings'), config, inputs);
  for (let index = 0; index < count; index += 1) {
    const queries = queriesOf(g, x, wanted, { index, count });
    x = block(g, encoder.at(`layer.${index}`), config, { x, queries }, index === count - 1 ? ofWanted : ofAll);
  }
  return x;
}

export const debertaV2: Architecture = {
  modelType: 'deberta-v2',
  configure(json) {
    const config = parseDebertaV2Config(json);
    return {
      ...bertLikeSizes(config),
      hidden: (g, w, inputs, wanted) => hidden(g, w, config, inputs, wanted),
      classifier: contextPoolerClassifier(config.pooler_hidden_act),
    };
  },
};
