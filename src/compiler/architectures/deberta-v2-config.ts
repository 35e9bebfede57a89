import type { JsonObject } from '../../contracts/json.ts';
import { activationField } from '../config/activation-field.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { refuseFields } from '../config/refuse-fields.ts';
import { requireMultiple } from '../config/require-multiple.ts';
import { unsupportedField } from '../config/unsupported-field.ts';
import type { RelativeLogBuckets } from '../layers/relative-log-buckets.ts';

const FAMILY = 'deberta-v2';

/** What the scores of attention are made of, beside content by content. */
export interface DisentangledTerms {
  /** A query's content by the position of the key. */
  readonly c2p: boolean;
  /** A key's content by the position of the query. */
  readonly p2c: boolean;
}

/** Fields that are not here change nothing at inference. */
export interface DebertaV2Config {
  readonly vocab_size: number;
  readonly hidden_size: number;
  /** Width of the word embeddings, which are projected to `hidden_size` where it differs. */
  readonly embedding_size: number;
  readonly num_hidden_layers: number;
  readonly num_attention_heads: number;
  readonly intermediate_size: number;
  readonly hidden_act: string;
  readonly max_position_embeddings: number;
  readonly type_vocab_size: number;
  readonly layer_norm_eps: number;
  /** Whether positions are also added to the words. */
  readonly position_biased_input: boolean;
  readonly relative_attention: boolean;
  readonly pos_att_type: DisentangledTerms;
  readonly share_att_key: boolean;
  /** Whether `norm_rel_ebd` asks for a layer norm over the table of relative positions. */
  readonly normalizedPositions: boolean;
  readonly relativePositions: RelativeLogBuckets;
  readonly pooler_hidden_act: string;
}

/** A list, or text with bars between: `c2p|p2c`. */
function namesIn(config: JsonObject, field: string): readonly string[] {
  const value = config[field] ?? [];
  const names = typeof value === 'string' ? value.toLowerCase().split('|') : value;
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names.map((name) => name.trim());
  throw unsupportedField(FAMILY, field, JSON.stringify(value).slice(0, 80), "a list of names, or 'name|name'");
}

function parseTerms(config: JsonObject): DisentangledTerms {
  const names = namesIn(config, 'pos_att_type').filter((name) => name !== '');
  const other = names.find((name) => name !== 'c2p' && name !== 'p2c');
  if (other !== undefined) throw unsupportedField(FAMILY, 'pos_att_type', `'${other}'`, `'c2p' and 'p2c'`);
  return { c2p: names.includes('c2p'), p2c: names.includes('p2c') };
}

function parseNormalizedPositions(config: JsonObject): boolean {
  const names = namesIn(config, 'norm_rel_ebd');
  const other = names.find((name) => name !== 'none' && name !== 'layer_norm');
  if (other !== undefined) throw unsupportedField(FAMILY, 'norm_rel_ebd', `'${other}'`, `'none' or 'layer_norm'`);
  return names.includes('layer_norm');
}

/** -1 and 0 say "none" in either field. */
function parseRelativePositions(config: JsonObject, longest: number): RelativeLogBuckets {
  const positiveOr = (field: string, fallback: number) => {
    const value = config[field];
    return typeof value === 'number' && value > 0
      ? new ConfigFields(config, 'config.json').positiveInteger(field)
      : fallback;
  };
  return { buckets: positiveOr('position_buckets', 0), maxRelative: positiveOr('max_relative_positions', longest) };
}

/**
 * DebertaV2Config with the fields that the model reads beside it; a value that the graph does not follow is refused by
 * name. Throws `unsupported_architecture` or `invalid_model_folder`.
 * Source: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/deberta_v2/configuration_deberta_v2.py
 */
export function parseDebertaV2Config(config: JsonObject): DebertaV2Config {
  const fields = new ConfigFields(config, 'config.json');
  const hiddenSize = fields.positiveInteger('hidden_size', 1536);
  const heads = fields.positiveInteger('num_attention_heads', 24);
  const longest = fields.positiveInteger('max_position_embeddings', 512);
  requireMultiple('hidden_size', hiddenSize, 'num_attention_heads', heads);
  refuseFields(config, FAMILY, {
    conv_kernel_size: [0],
    attention_head_size: [hiddenSize / heads],
    pooler_hidden_size: [hiddenSize],
    quantization_config: [],
  });
  return {
    vocab_size: fields.positiveInteger('vocab_size', 128100),
    hidden_size: hiddenSize,
    embedding_size: fields.positiveInteger('embedding_size', hiddenSize),
    num_hidden_layers: fields.positiveInteger('num_hidden_layers', 24),
    num_attention_heads: heads,
    intermediate_size: fields.positiveInteger('intermediate_size', 6144),
    hidden_act: activationField(FAMILY, fields, 'hidden_act', 'gelu'),
    max_position_embeddings: longest,
    type_vocab_size: fields.wholeNumber('type_vocab_size', 0),
    layer_norm_eps: fields.positiveNumber('layer_norm_eps', 1e-7),
    position_biased_input: fields.flag('position_biased_input', true),
    relative_attention: fields.flag('relative_attention', false),
    pos_att_type: parseTerms(config),
    share_att_key: fields.flag('share_att_key', false),
    normalizedPositions: parseNormalizedPositions(config),
    relativePositions: parseRelativePositions(config, longest),
    pooler_hidden_act: activationField(FAMILY, fields, 'pooler_hidden_act', 'gelu'),
  };
}
