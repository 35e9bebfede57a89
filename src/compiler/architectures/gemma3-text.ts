import { isJsonObject, type JsonObject } from '../../contracts/json.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { parseRopeParameters } from '../config/rope-parameters.ts';
import { rotaryTable } from '../layers/rope-scaling.ts';
import type { RotaryTable } from '../layers/rotary.ts';
import type { Architecture } from './architecture.ts';
import { decoder } from './decoder.ts';
import { type DecoderConfig, type DecoderSizes, optionalInteger, parseDecoderSizes } from './decoder-config.ts';
import { type LayerType, reachOf, readLayerTypes } from './decoder-layers.ts';
import { parseGemmaTraits } from './gemma-config.ts';

const DEFAULTS = {
  vocab_size: 262208,
  hidden_size: 2304,
  intermediate_size: 9216,
  num_hidden_layers: 26,
  num_attention_heads: 8,
  num_key_value_heads: 4,
  head_dim: 256,
  max_position_embeddings: 131072,
  rms_norm_eps: 1e-6,
};

/** Sliding layers turn with a base of their own and are never scaled; `rope_scaling` is for the others. */
function readRotary(json: JsonObject, sizes: DecoderSizes): Readonly<Record<LayerType, RotaryTable>> {
  const { rope_parameters: parameters, rope_scaling: scaling, rope_theta, rope_local_base_freq } = json;
  const ofType = (type: LayerType, stated: JsonObject, defaultTheta: number) => {
    const own = isJsonObject(parameters) && isJsonObject(parameters[type]) ? parameters[type] : {};
    const rope = parseRopeParameters('gemma3_text', { ...stated, ...own }, { ...sizes, rope_theta: defaultTheta });
    return rotaryTable(rope, sizes.head_dim, sizes.max_position_embeddings);
  };
  return {
    full_attention: ofType('full_attention', { ...(isJsonObject(scaling) ? scaling : {}), rope_theta }, 1_000_000),
    sliding_attention: ofType('sliding_attention', { rope_theta: rope_local_base_freq }, 10_000),
  };
}

/** With `use_bidirectional_attention` half the window lies on each side of a token. */
function readReach(json: JsonObject, sizes: DecoderSizes, isBidirectional: boolean, causal: boolean) {
  const sliding_window = optionalInteger(json, 'sliding_window', 4096);
  if (!isBidirectional || sliding_window === undefined) return reachOf({ ...sizes, causal, sliding_window });
  return reachOf({ ...sizes, causal: false, sliding_window: Math.floor(sliding_window / 2) });
}

/**
 * `attn_logit_softcapping` is in the config class, but its model never reads it.
 * Source: https://github.com/huggingface/transformers/blob/v5.0.0/src/transformers/models/gemma3/modeling_gemma3.py
 */
export function parseGemma3TextConfig(json: JsonObject): DecoderConfig {
  const fields = new ConfigFields(json, 'config.json');
  const sizes = parseDecoderSizes('gemma3_text', json, DEFAULTS);
  const isBidirectional = fields.flag('use_bidirectional_attention', false);
  const causal = !isBidirectional && fields.flag('is_causal', true);
  const reach = readReach(json, sizes, isBidirectional, causal);
  const rotary = readRotary(json, sizes);
  const pattern = fields.positiveInteger('sliding_window_pattern', 6);
  const types = readLayerTypes('gemma3_text', json, sizes.num_hidden_layers, (index) =>
    (index + 1) % pattern === 0 ? 'full_attention' : 'sliding_attention',
  );
  return {
    ...sizes,
    ...parseGemmaTraits('gemma3_text', json, sizes),
    headNorms: true,
    scoreSoftcap: undefined,
    causal,
    layers: types.map((type) => ({
      reach: type === 'sliding_attention' ? reach : undefined,
      rotary: rotary[type],
    })),
  };
}

export const gemma3Text: Architecture = {
  modelType: 'gemma3_text',
  configure: (json) => decoder(parseGemma3TextConfig(json)),
};
