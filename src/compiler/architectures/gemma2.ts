import type { JsonObject } from '../../contracts/json.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { refuseFields } from '../config/refuse-fields.ts';
import { readRopeParameters } from '../config/rope-parameters.ts';
import { unsupportedField } from '../config/unsupported-field.ts';
import { rotaryTable } from '../layers/rope-scaling.ts';
import type { Architecture } from './architecture.ts';
import { decoder } from './decoder.ts';
import { type DecoderConfig, optionalInteger, parseDecoderSizes, takesGroupedHeads } from './decoder-config.ts';
import { reachOf, readLayerTypes } from './decoder-layers.ts';
import { parseGemmaTraits } from './gemma-config.ts';

const DEFAULTS = {
  vocab_size: 256000,
  hidden_size: 2304,
  intermediate_size: 9216,
  num_hidden_layers: 26,
  num_attention_heads: 8,
  num_key_value_heads: 4,
  head_dim: 256,
  max_position_embeddings: 8192,
  rms_norm_eps: 1e-6,
};

/** Null switches the cap off. */
function softcap(json: JsonObject): number | undefined {
  if (json.attn_logit_softcapping === null) return undefined;
  return new ConfigFields(json, 'config.json').positiveNumber('attn_logit_softcapping', 50);
}

/**
 * The first layer slides, the second sees everything, and so on.
 * Source: https://github.com/huggingface/transformers/blob/v5.0.0/src/transformers/models/gemma2/configuration_gemma2.py
 */
export function parseGemma2Config(json: JsonObject): DecoderConfig {
  const sizes = parseDecoderSizes('gemma2', json, DEFAULTS);
  refuseFields(json, 'gemma2', { use_bidirectional_attention: [false] });
  const causal = new ConfigFields(json, 'config.json').flag('is_causal', true);
  const scoreSoftcap = softcap(json);
  if (scoreSoftcap !== undefined && !takesGroupedHeads({ ...sizes, causal })) {
    const expected = 'null where is_causal is false or head_dim is no multiple of 8';
    throw unsupportedField('gemma2', 'attn_logit_softcapping', String(scoreSoftcap), expected);
  }
  const rope = readRopeParameters('gemma2', json, { ...sizes, rope_theta: 10_000 });
  const rotary = rotaryTable(rope, sizes.head_dim, sizes.max_position_embeddings);
  const reach = reachOf({ ...sizes, causal, sliding_window: optionalInteger(json, 'sliding_window', 4096) });
  const types = readLayerTypes('gemma2', json, sizes.num_hidden_layers, (index) =>
    index % 2 === 0 ? 'sliding_attention' : 'full_attention',
  );
  return {
    ...sizes,
    ...parseGemmaTraits('gemma2', json, sizes),
    headNorms: false,
    scoreSoftcap,
    causal,
    layers: types.map((type) => ({ reach: type === 'sliding_attention' ? reach : undefined, rotary })),
  };
}

export const gemma2: Architecture = {
  modelType: 'gemma2',
  configure: (json) => decoder(parseGemma2Config(json)),
};
