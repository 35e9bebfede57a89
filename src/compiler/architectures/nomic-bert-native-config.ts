import type { JsonObject } from '../../contracts/json.ts';
import { activationField } from '../config/activation-field.ts';
import type { ConfigFields } from '../config/config-fields.ts';
import { refuseFields } from '../config/refuse-fields.ts';
import { requireMultiple } from '../config/require-multiple.ts';
import { readRopeParameters } from '../config/rope-parameters.ts';
import type { NomicBertConfig } from './nomic-bert-config.ts';

const FAMILY = 'nomic_bert';

/**
 * NomicBertConfig of transformers 5, which knows gated layers without biases only; it saves weights under the names that
 * the code on the hub gives them. Throws as `parseNomicBertConfig`.
 * Source: https://github.com/huggingface/transformers/blob/main/src/transformers/models/nomic_bert/configuration_nomic_bert.py
 */
export function parseNomicBertNativeConfig(config: JsonObject, fields: ConfigFields): NomicBertConfig {
  const width = fields.positiveInteger('hidden_size', 768);
  const heads = fields.positiveInteger('num_attention_heads', 12);
  const positions = fields.positiveInteger('max_position_embeddings', 2048);
  requireMultiple('hidden_size', width, '2 * num_attention_heads', 2 * heads);
  refuseFields(config, FAMILY, { head_dim: [width / heads], quantization_config: [] });
  return {
    vocab_size: fields.positiveInteger('vocab_size', 30528),
    n_embd: width,
    n_layer: fields.positiveInteger('num_hidden_layers', 12),
    n_head: heads,
    n_inner: fields.positiveInteger('intermediate_size', 3072),
    n_positions: positions,
    type_vocab_size: fields.wholeNumber('type_vocab_size', 2),
    layer_norm_epsilon: fields.positiveNumber('layer_norm_eps', 1e-12),
    feedForward: { activation: activationField(FAMILY, fields, 'hidden_act', 'silu'), gated: true },
    qkv_proj_bias: false,
    mlp_fc1_bias: false,
    mlp_fc2_bias: false,
    rotaryWidth: width / heads,
    rope: readRopeParameters(FAMILY, config, { rope_theta: 1000, max_position_embeddings: positions }),
    rotary_scaling_factor: undefined,
    max_trained_positions: positions,
    moe_every_n_layers: 0,
    num_experts: 0,
    moe_top_k: 0,
  };
}
