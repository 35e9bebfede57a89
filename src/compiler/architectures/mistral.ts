import type { JsonObject } from '../../contracts/json.ts';
import { activationField } from '../config/activation-field.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { refuseFields } from '../config/refuse-fields.ts';
import { readRopeParameters } from '../config/rope-parameters.ts';
import { rotaryTable } from '../layers/rope-scaling.ts';
import type { Architecture } from './architecture.ts';
import { decoder } from './decoder.ts';
import { type DecoderConfig, optionalInteger, padTokenId, parseDecoderSizes } from './decoder-config.ts';
import { reachOf } from './decoder-layers.ts';

const DEFAULTS = {
  vocab_size: 32000,
  hidden_size: 4096,
  intermediate_size: 14336,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  head_dim: undefined,
  max_position_embeddings: 131072,
  rms_norm_eps: 1e-6,
};

/**
 * Every layer slides, unless `sliding_window` is null.
 * Source: https://github.com/huggingface/transformers/blob/v5.0.0/src/transformers/models/mistral/configuration_mistral.py
 */
export function parseMistralConfig(json: JsonObject): DecoderConfig {
  const fields = new ConfigFields(json, 'config.json');
  const sizes = parseDecoderSizes('mistral', json, DEFAULTS);
  refuseFields(json, 'mistral', { use_bidirectional_attention: [false] });
  const rope = readRopeParameters('mistral', json, { ...sizes, rope_theta: 10_000 });
  const rotary = rotaryTable(rope, sizes.head_dim, sizes.max_position_embeddings);
  const causal = fields.flag('is_causal', true);
  const reach = reachOf({ ...sizes, causal, sliding_window: optionalInteger(json, 'sliding_window', 4096) });
  return {
    ...sizes,
    activation: activationField('mistral', fields, 'hidden_act', 'silu'),
    bias: { queryKeyValue: false, output: false, feedForward: false },
    headNorms: false,
    sandwichNorms: false,
    embeddingScale: undefined,
    scoreScale: sizes.head_dim ** -0.5,
    scoreSoftcap: undefined,
    causal,
    layers: Array.from({ length: sizes.num_hidden_layers }, () => ({ reach, rotary })),
    padTokenId: padTokenId(json),
    tiedEmbeddings: fields.flag('tie_word_embeddings', false),
  };
}

export const mistral: Architecture = {
  modelType: 'mistral',
  configure: (json) => decoder(parseMistralConfig(json)),
};
