/**
 * XLM-RoBERTa as Jina wrote it for flash attention: names of its own in the checkpoint, rotary positions instead of the
 * table, and adapters for tasks. References, in this order:
 * https://huggingface.co/jinaai/xlm-roberta-flash-implementation/blob/main/modeling_xlm_roberta.py
 * https://huggingface.co/jinaai/xlm-roberta-flash-implementation/blob/main/modeling_lora.py
 */
import type { JsonObject } from '../../contracts/json.ts';
import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { robertaClassifier } from '../heads/classifiers/roberta-classifier.ts';
import { activation } from '../layers/activation.ts';
import { affine } from '../layers/affine.ts';
import { attention } from '../layers/attention.ts';
import { countedPositions } from '../layers/counted-positions.ts';
import { rowsByIds } from '../layers/embeddings.ts';
import { layerNorm } from '../layers/layer-norm.ts';
import { queriesOf } from '../layers/queries.ts';
import { inverseFrequencies, rotary } from '../layers/rotary.ts';
import { withTokenTypes } from '../layers/token-types.ts';
import { rowsOf } from '../weights/rows-of.ts';
import type { Weight } from '../weights/weight.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import { withLowRank } from '../weights/with-low-rank.ts';
import type { Architecture, TextInputs, WantedTokens } from './architecture.ts';
import { parseXlmRobertaFlashConfig, type XlmRobertaFlashConfig } from './xlm-roberta-flash-config.ts';

/**
 * The weight `[rows, columns]` of a layer, with the adapter of the task merged into it (LoRAParametrization). What the
 * reference calls A and B changes places between linear layers and embeddings.
 */
function weightOf(
  w: WeightScope,
  [rows, columns]: readonly [number, number],
  { adapter }: XlmRobertaFlashConfig,
  kind: 'linear' | 'embedding' = 'linear',
): Weight {
  const parametrized = w.at('parametrizations.weight');
  if (adapter === undefined) {
    return parametrized.has('original')
      ? parametrized.read('original', [rows, columns])
      : w.read('weight', [rows, columns]);
  }
  const [leftName, rightName] = kind === 'linear' ? ['0.lora_B', '0.lora_A'] : ['0.lora_A', '0.lora_B'];
  return withLowRank(parametrized.read('original', [rows, columns]), {
    left: parametrized.read(leftName, [adapter.tasks, rows, adapter.lora_rank]),
    right: parametrized.read(rightName, [adapter.tasks, adapter.lora_rank, columns]),
    task: adapter.task,
    scale: adapter.lora_alpha / adapter.lora_rank,
  });
}

/** XLMRobertaEmbeddings, and the norm after it. */
function embeddings(g: GraphBuilder, w: WeightScope, config: XlmRobertaFlashConfig, inputs: TextInputs): Value {
  const { hidden_size: width } = config;
  const tables = w.at('embeddings');
  const words = weightOf(tables.at('word_embeddings'), [config.vocab_size, width], config, 'embedding');
  const types = weightOf(tables.at('token_type_embeddings'), [config.type_vocab_size, width], config, 'embedding');
  let x = withTokenTypes(g, rowsByIds(g, words, inputs.ids), types, inputs.typeIds);
  if (config.position_embedding_type === 'absolute') {
    const places = tables.at('position_embeddings');
    const table = weightOf(places, [config.max_position_embeddings, width], config, 'embedding');
    x = g.node('Add', [x, rowsByIds(g, table, countedPositions(g, inputs.ids, config.pad_token_id))]);
  }
  return layerNorm(g, w.at('emb_ln'), x, config.layer_norm_eps);
}

/** MHA: query, key and value lie in one layer, below one another. */
function selfAttention(
  g: GraphBuilder,
  w: WeightScope,
  config: XlmRobertaFlashConfig,
  x: Value,
  queries: Value,
): Value {
  const { hidden_size: width, num_attention_heads: heads } = config;
  const weight = weightOf(w.at('Wqkv'), [3 * width, width], config);
  const bias = w.read('Wqkv.bias', [3 * width]);
  const part = (index: number, value: Value) => {
    const rows = [index * width, (index + 1) * width] as const;
    return affine(g, value, rowsOf(weight, ...rows), rowsOf(bias, ...rows));
  };
  const angles = {
    positions: config.max_position_embeddings,
    inverseFrequencies: inverseFrequencies(config.rotary_emb_dim, config.rotary_emb_base),
  };
  const placed = (value: Value) =>
    config.position_embedding_type === 'rotary' ? rotary(g, value, heads, angles) : value;
  const context = attention(
    g,
    { query: placed(part(0, queries)), key: placed(part(1, x)), value: part(2, x) },
    { heads },
  );
  return affine(g, context, weightOf(w.at('out_proj'), [width, width], config), w.read('out_proj.bias', [width]));
}

/** Block: post-norm, as BERT. */
function block(g: GraphBuilder, w: WeightScope, config: XlmRobertaFlashConfig, x: Value, queries: Value): Value {
  const { hidden_size: width, intermediate_size: innerWidth } = config;
  const mlp = w.at('mlp');
  const mixed = selfAttention(g, w.at('mixer'), config, x, queries);
  const attended = layerNorm(g, w.at('norm1'), g.node('Add', [mixed, queries]), config.layer_norm_eps);
  const inner = affine(
    g,
    attended,
    weightOf(mlp.at('fc1'), [innerWidth, width], config),
    mlp.read('fc1.bias', [innerWidth]),
  );
  const activated = activation(g, config.hidden_act, inner);
  const fed = affine(g, activated, weightOf(mlp.at('fc2'), [width, innerWidth], config), mlp.read('fc2.bias', [width]));
  return layerNorm(g, w.at('norm2'), g.node('Add', [fed, attended]), config.layer_norm_eps);
}

/** XLMRobertaModel without its pooler. */
function hidden(
  g: GraphBuilder,
  w: WeightScope,
  config: XlmRobertaFlashConfig,
  inputs: TextInputs,
  wanted: WantedTokens,
): Value {
  // Rotary positions count from the first row: a last row alone would be turned as if it stood first.
  const rows = wanted === 'last' && config.position_embedding_type === 'rotary' ? 'all' : wanted;
  let x = embeddings(g, w, config, inputs);
  for (let index = 0; index < config.num_hidden_layers; index += 1) {
    const queries = queriesOf(g, x, rows, { index, count: config.num_hidden_layers });
    x = block(g, w.at(`encoder.layers.${index}`), config, x, queries);
  }
  return x;
}

/** The class that AutoConfig would load: `owner/repository--file.Class`, or `file.Class`. */
function configClass({ auto_map: autoMap }: JsonObject): string {
  const named = autoMap !== null && typeof autoMap === 'object' && 'AutoConfig' in autoMap ? autoMap.AutoConfig : '';
  return typeof named === 'string' ? (named.split('.').at(-1) ?? '') : '';
}

export const xlmRobertaFlash: Architecture = {
  modelType: 'xlm-roberta',
  /** With absolute positions, only the class of the config tells it from XLM-RoBERTa itself, which has no rotary ones. */
  accepts: (config) => configClass(config) === 'XLMRobertaFlashConfig' || config.position_embedding_type === 'rotary',
  configure(json) {
    const config = parseXlmRobertaFlashConfig(json);
    return {
      hiddenSize: config.hidden_size,
      vocabularySize: config.vocab_size,
      maxPositions: config.positions,
      tokenTypes: config.type_vocab_size,
      anchor: 'emb_ln.weight',
      hidden: (g, w, inputs, wanted) => hidden(g, w, config, inputs, wanted),
      classifier: robertaClassifier,
    };
  },
};
