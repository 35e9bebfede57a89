import type { JsonObject } from '../../contracts/json.ts';
import { activationField } from '../config/activation-field.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { refuseFields } from '../config/refuse-fields.ts';
import { unsupportedField } from '../config/unsupported-field.ts';

export interface T5Config {
  readonly vocab_size: number;
  readonly d_model: number;
  readonly d_kv: number;
  readonly d_ff: number;
  readonly num_layers: number;
  readonly num_heads: number;
  readonly relative_attention_num_buckets: number;
  readonly relative_attention_max_distance: number;
  readonly layer_norm_epsilon: number;
  readonly dense_act_fn: string;
  readonly is_gated_act: boolean;
}

interface FeedForwardForm {
  readonly activation: string;
  readonly gated: boolean;
}

/** 'relu', 'gated-silu', ...; 'gated-gelu' means gelu_new, as the first gated checkpoints were trained. */
function parseFeedForward(text: string): FeedForwardForm {
  const [first = '', second, ...others] = text.split('-');
  if (others.length > 0 || (second !== undefined && first !== 'gated')) {
    throw unsupportedField('t5', 'feed_forward_proj', `'${text}'`, "the name of an activation, or 'gated-' and one");
  }
  if (text === 'gated-gelu') return { activation: 'gelu_new', gated: true };
  return { activation: second ?? first, gated: second !== undefined };
}

/**
 * Every field of T5Config that changes the result of the encoder, with the reference's defaults. The reference derives
 * `dense_act_fn` and `is_gated_act` from `feed_forward_proj`, writes all three, and believes the first two when it reads
 * them. The rest are fields of the decoder (`num_decoder_layers`, `tie_word_embeddings`, ids of special tokens),
 * `n_positions`, which no model uses, dropout, initialisation and generation.
 * Source: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/t5/configuration_t5.py
 */
export function parseT5Config(config: JsonObject): T5Config {
  const fields = new ConfigFields(config, 'config.json');
  refuseFields(config, 't5', { auto_map: [], is_decoder: [false], pruned_heads: [{}], quantization_config: [] });
  const form = parseFeedForward(fields.text('feed_forward_proj', 'relu'));
  const parsed: T5Config = {
    vocab_size: fields.positiveInteger('vocab_size', 32128),
    d_model: fields.positiveInteger('d_model', 512),
    d_kv: fields.positiveInteger('d_kv', 64),
    d_ff: fields.positiveInteger('d_ff', 2048),
    num_layers: fields.positiveInteger('num_layers', 6),
    num_heads: fields.positiveInteger('num_heads', 8),
    relative_attention_num_buckets: fields.positiveInteger('relative_attention_num_buckets', 32),
    relative_attention_max_distance: fields.positiveInteger('relative_attention_max_distance', 128),
    layer_norm_epsilon: fields.positiveNumber('layer_norm_epsilon', 1e-6),
    dense_act_fn: activationField('t5', fields, 'dense_act_fn', form.activation),
    is_gated_act: fields.flag('is_gated_act', form.gated),
  };
  const { relative_attention_num_buckets: buckets, relative_attention_max_distance: maxDistance } = parsed;
  // Half of the buckets look each way, and half of those hold one near distance each.
  if (buckets < 4) throw unsupportedField('t5', 'relative_attention_num_buckets', `${buckets}`, 'at least 4');
  if (maxDistance <= buckets / 4) {
    throw unsupportedField('t5', 'relative_attention_max_distance', `${maxDistance}`, `more than ${buckets / 4}`);
  }
  return parsed;
}
