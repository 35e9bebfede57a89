import type { JsonObject } from '../../contracts/json.ts';
import { activationField } from '../config/activation-field.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { refuseFields } from '../config/refuse-fields.ts';
import { readRopeParameters } from '../config/rope-parameters.ts';
import { rotaryTable } from '../layers/rope-scaling.ts';
import type { Architecture } from './architecture.ts';
import { decoder } from './decoder.ts';
import { type DecoderConfig, padTokenId, parseDecoderSizes } from './decoder-config.ts';

const DEFAULTS = {
  vocab_size: 32000,
  hidden_size: 4096,
  intermediate_size: 11008,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: undefined,
  head_dim: undefined,
  max_position_embeddings: 2048,
  rms_norm_eps: 1e-6,
};

/** Source: https://github.com/huggingface/transformers/blob/v5.0.0/src/transformers/models/llama/configuration_llama.py */
export function parseLlamaConfig(json: JsonObject): DecoderConfig {
  const fields = new ConfigFields(json, 'config.json');
  const sizes = parseDecoderSizes('llama', json, DEFAULTS);
  refuseFields(json, 'llama', { use_bidirectional_attention: [false] });
  const rope = readRopeParameters('llama', json, { ...sizes, rope_theta: 10_000 });
  const rotary = rotaryTable(rope, sizes.head_dim, sizes.max_position_embeddings);
  const attentionBias = fields.flag('attention_bias', false);
  return {
    ...sizes,
    activation: activationField('llama', fields, 'hidden_act', 'silu'),
    bias: { queryKeyValue: attentionBias, output: attentionBias, feedForward: fields.flag('mlp_bias', false) },
    headNorms: false,
    sandwichNorms: false,
    embeddingScale: undefined,
    scoreScale: sizes.head_dim ** -0.5,
    scoreSoftcap: undefined,
    causal: fields.flag('is_causal', true),
    layers: Array.from({ length: sizes.num_hidden_layers }, () => ({ reach: undefined, rotary })),
    padTokenId: padTokenId(json),
    tiedEmbeddings: fields.flag('tie_word_embeddings', false),
  };
}

export const llama: Architecture = {
  modelType: 'llama',
  configure: (json) => decoder(parseLlamaConfig(json)),
};
