import { isJsonObject, type JsonObject } from '../../contracts/json.ts';
import { ConfigFields } from './config-fields.ts';
import { unsupportedField } from './unsupported-field.ts';

/** How a config says that positions turn the heads: the base of the angles, and what scales them. */
export type RopeParameters = { readonly rope_theta: number } & (
  | { readonly rope_type: 'default' }
  | { readonly rope_type: 'linear'; readonly factor: number }
  | {
      readonly rope_type: 'llama3';
      readonly factor: number;
      readonly low_freq_factor: number;
      readonly high_freq_factor: number;
      readonly original_max_position_embeddings: number;
    }
  | {
      readonly rope_type: 'yarn';
      readonly factor: number;
      readonly original_max_position_embeddings: number;
      /** Factor of cosine and sine. */
      readonly attention_factor: number;
      readonly beta_fast: number;
      readonly beta_slow: number;
      /** Whether the range that is interpolated begins and ends at whole pairs of dimensions. */
      readonly truncate: boolean;
    }
);

export interface RopeDefaults {
  /** Base where the config states none. */
  readonly rope_theta: number;
  readonly max_position_embeddings: number;
}

const TYPES = 'default, linear, dynamic, yarn, llama3';

/** 0.1 m ln(factor) + 1, as YaRN proposes (https://arxiv.org/abs/2309.00071, 3.4). */
function yarnMagnitude(factor: number, mscale = 1): number {
  return factor <= 1 ? 1 : 0.1 * mscale * Math.log(factor) + 1;
}

function attentionFactor(json: JsonObject, fields: ConfigFields, factor: number): number {
  const stated = json.attention_factor;
  if (stated !== undefined && stated !== null) return fields.positiveNumber('attention_factor');
  if (!json.mscale || !json.mscale_all_dim) return yarnMagnitude(factor);
  const [numerator, denominator] = [fields.positiveNumber('mscale'), fields.positiveNumber('mscale_all_dim')];
  return yarnMagnitude(factor, numerator) / yarnMagnitude(factor, denominator);
}

/**
 * Reads one set of rotary parameters, in the older form (`rope_scaling`, with `type` or `rope_type`) and the newer one
 * (`rope_parameters`). `dynamic` scales only sequences longer than `max_position_embeddings`, which never run: it is
 * `default`. Throws `unsupported_architecture` for any other type, `invalid_model_folder` for a missing number.
 * Source: https://github.com/huggingface/transformers/blob/v5.0.0/src/transformers/modeling_rope_utils.py
 */
export function parseRopeParameters(family: string, json: JsonObject, defaults: RopeDefaults): RopeParameters {
  const fields = new ConfigFields(json, 'config.json, rotary parameters');
  const rope_theta = fields.positiveNumber('rope_theta', defaults.rope_theta);
  const type = fields.text('rope_type', fields.text('type', 'default'));
  if (fields.positiveNumber('partial_rotary_factor', 1) !== 1) {
    throw unsupportedField(family, 'partial_rotary_factor', String(json.partial_rotary_factor), '1: whole heads turn');
  }
  const original = () => fields.positiveInteger('original_max_position_embeddings', defaults.max_position_embeddings);
  switch (type) {
    case 'default':
    case 'dynamic':
      return { rope_type: 'default', rope_theta };
    case 'linear':
      return { rope_type: 'linear', rope_theta, factor: fields.positiveNumber('factor') };
    case 'llama3':
      return {
        rope_type: 'llama3',
        rope_theta,
        factor: fields.positiveNumber('factor'),
        low_freq_factor: fields.positiveNumber('low_freq_factor'),
        high_freq_factor: fields.positiveNumber('high_freq_factor'),
        original_max_position_embeddings: original(),
      };
    case 'yarn': {
      const factor = fields.positiveNumber('factor', defaults.max_position_embeddings / original());
      return {
        rope_type: 'yarn',
        rope_theta,
        factor,
        original_max_position_embeddings: original(),
        attention_factor: attentionFactor(json, fields, factor),
        beta_fast: fields.positiveNumber('beta_fast', 32),
        beta_slow: fields.positiveNumber('beta_slow', 1),
        truncate: fields.flag('truncate', true),
      };
    }
    default:
      throw unsupportedField(family, 'rope_type', `'${type}'`, `one of ${TYPES}`);
  }
}

/**
 * The rotary parameters of a model whose layers all share them: `rope_scaling` or `rope_parameters`, with `rope_theta`,
 * `partial_rotary_factor` and `original_max_position_embeddings` beside them or inside. Throws as `parseRopeParameters`.
 */
export function readRopeParameters(family: string, config: JsonObject, defaults: RopeDefaults): RopeParameters {
  const stated = [config.rope_scaling, config.rope_parameters].find(isJsonObject) ?? {};
  const nested = Object.keys(stated).filter((key) => isJsonObject(stated[key]));
  if (nested.length > 0) {
    throw unsupportedField(family, 'rope_parameters', `given for ${nested.join(', ')}`, 'one set for all layers');
  }
  const original = config.original_max_position_embeddings ?? stated.original_max_position_embeddings;
  const { rope_theta, partial_rotary_factor } = { ...config, ...stated };
  return parseRopeParameters(
    family,
    { ...stated, rope_theta, partial_rotary_factor, original_max_position_embeddings: original },
    defaults,
  );
}
