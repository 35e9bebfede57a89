import { isJsonObject, type JsonObject } from '../../contracts/json.ts';
import { activationField } from '../config/activation-field.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { refuseFields } from '../config/refuse-fields.ts';
import { requireMultiple } from '../config/require-multiple.ts';
import { type RopeDefaults, type RopeParameters, readRopeParameters } from '../config/rope-parameters.ts';
import { unsupportedField } from '../config/unsupported-field.ts';

/** Defaults in which the families differ that share this model. */
export type AlibabaNewDefaults = Readonly<Record<'vocab_size' | 'max_position_embeddings' | 'rope_theta', number>>;

/** Fields that are not here change nothing at inference: how the reference packs its inputs, among others. */
export interface AlibabaNewConfig {
  readonly vocab_size: number;
  readonly hidden_size: number;
  readonly num_hidden_layers: number;
  readonly num_attention_heads: number;
  readonly intermediate_size: number;
  readonly hidden_act: string;
  readonly max_position_embeddings: number;
  readonly type_vocab_size: number;
  readonly layer_norm_eps: number;
  readonly layer_norm_type: 'layer_norm' | 'rms_norm';
  readonly position_embedding_type: 'rope' | 'absolute';
  readonly rope: RopeParameters;
  /** Whether query, key and value are stored as one tensor. */
  readonly pack_qkv: boolean;
}

/**
 * "ntk" multiplies the base by a factor and divides all frequencies by factor^(2 / head width), at every length: the
 * reference scales only beyond the length that the factor gives, but makes its table for that length at once.
 */
function parseRope(family: string, config: JsonObject, headWidth: number, defaults: RopeDefaults): RopeParameters {
  const scaling = [config.rope_scaling, config.rope_parameters].find(isJsonObject) ?? {};
  if (scaling.type !== 'ntk' && scaling.rope_type !== 'ntk') return readRopeParameters(family, config, defaults);
  refuseFields(scaling, `${family}: rope_scaling`, { mixed_b: [] });
  const rope_theta = new ConfigFields({ ...config, ...scaling }, 'config.json').positiveNumber(
    'rope_theta',
    defaults.rope_theta,
  );
  const factor = Math.max(new ConfigFields(scaling, 'config.json, rope_scaling').positiveNumber('factor'), 1);
  return { rope_type: 'linear', rope_theta: rope_theta * factor, factor: factor ** (2 / headWidth) };
}

function choice<T extends string>(
  family: string,
  fields: ConfigFields,
  field: string,
  [fallback, other]: readonly [T, T],
): T {
  const value = fields.text(field, fallback);
  if (value === fallback) return fallback;
  if (value === other) return other;
  throw unsupportedField(family, field, `'${value}'`, `'${fallback}' or '${other}'`);
}

/**
 * NewConfig of the code on the hub; a value that the graph does not follow is refused by name. Throws
 * `unsupported_architecture` or `invalid_model_folder`.
 * Source: https://huggingface.co/Alibaba-NLP/new-impl/blob/main/configuration.py
 */
export function parseAlibabaNewConfig(
  family: string,
  config: JsonObject,
  defaults: AlibabaNewDefaults,
): AlibabaNewConfig {
  const fields = new ConfigFields(config, 'config.json');
  const hiddenSize = fields.positiveInteger('hidden_size', 768);
  const heads = fields.positiveInteger('num_attention_heads', 12);
  requireMultiple('hidden_size', hiddenSize, '2 * num_attention_heads', 2 * heads);
  const positions = fields.positiveInteger('max_position_embeddings', defaults.max_position_embeddings);
  refuseFields(config, family, { logn_attention_scale: [false], quantization_config: [] });
  return {
    vocab_size: fields.positiveInteger('vocab_size', defaults.vocab_size),
    hidden_size: hiddenSize,
    num_hidden_layers: fields.positiveInteger('num_hidden_layers', 12),
    num_attention_heads: heads,
    intermediate_size: fields.positiveInteger('intermediate_size', 3072),
    hidden_act: activationField(family, fields, 'hidden_act', 'gelu'),
    max_position_embeddings: positions,
    type_vocab_size: fields.wholeNumber('type_vocab_size', 1),
    layer_norm_eps: fields.positiveNumber('layer_norm_eps', 1e-12),
    layer_norm_type: choice(family, fields, 'layer_norm_type', ['layer_norm', 'rms_norm']),
    position_embedding_type: choice(family, fields, 'position_embedding_type', ['rope', 'absolute']),
    rope: parseRope(family, config, hiddenSize / heads, { ...defaults, max_position_embeddings: positions }),
    pack_qkv: fields.flag('pack_qkv', true),
  };
}
