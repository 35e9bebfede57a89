import { ServiceError } from '../../contracts/errors.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { ACTIVATION_NAMES } from '../layers/activation.ts';

export interface BertConfig {
  readonly vocab_size: number;
  readonly hidden_size: number;
  readonly num_hidden_layers: number;
  readonly num_attention_heads: number;
  readonly intermediate_size: number;
  readonly hidden_act: string;
  readonly max_position_embeddings: number;
  readonly type_vocab_size: number;
  readonly layer_norm_eps: number;
}

function unsupported(field: string, actual: string, expected: string): ServiceError {
  return new ServiceError('unsupported_architecture', `bert: ${field} is ${actual}, expected ${expected}`);
}

function refuse(config: JsonObject, fields: ConfigFields): void {
  if (config.auto_map !== undefined && config.auto_map !== null) {
    throw unsupported('auto_map', JSON.stringify(config.auto_map).slice(0, 200), 'none: code of a model is never run');
  }
  const positions = fields.text('position_embedding_type', 'absolute');
  if (positions !== 'absolute') throw unsupported('position_embedding_type', `'${positions}'`, `'absolute'`);
  if (fields.flag('is_decoder', false)) throw unsupported('is_decoder', 'true', 'false');
  if (fields.flag('add_cross_attention', false)) throw unsupported('add_cross_attention', 'true', 'false');
  const pruned = Object.keys(config.pruned_heads ?? {});
  if (pruned.length > 0) throw unsupported('pruned_heads', `set for layers ${pruned.join(', ')}`, 'empty');
  if (config.quantization_config !== undefined && config.quantization_config !== null) {
    throw unsupported('quantization_config', 'set', 'none: weights of a float type');
  }
}

/**
 * Every field of BertConfig that changes the result of inference, with the reference's defaults; a value that the graph
 * does not follow is refused by name. The rest are dropout, initialisation, training and generation.
 * Source: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/bert/configuration_bert.py
 */
export function parseBertConfig(config: JsonObject): BertConfig {
  const fields = new ConfigFields(config, 'config.json');
  refuse(config, fields);
  const parsed: BertConfig = {
    vocab_size: fields.positiveInteger('vocab_size', 30522),
    hidden_size: fields.positiveInteger('hidden_size', 768),
    num_hidden_layers: fields.positiveInteger('num_hidden_layers', 12),
    num_attention_heads: fields.positiveInteger('num_attention_heads', 12),
    intermediate_size: fields.positiveInteger('intermediate_size', 3072),
    hidden_act: fields.text('hidden_act', 'gelu'),
    max_position_embeddings: fields.positiveInteger('max_position_embeddings', 512),
    type_vocab_size: fields.positiveInteger('type_vocab_size', 2),
    layer_norm_eps: fields.positiveNumber('layer_norm_eps', 1e-12),
  };
  if (!ACTIVATION_NAMES.includes(parsed.hidden_act)) {
    throw unsupported('hidden_act', `'${parsed.hidden_act}'`, `one of ${ACTIVATION_NAMES.join(', ')}`);
  }
  if (parsed.hidden_size % parsed.num_attention_heads !== 0) {
    throw new ServiceError(
      'invalid_model_folder',
      `config.json: hidden_size should be a multiple of num_attention_heads, got ${parsed.hidden_size} and ${parsed.num_attention_heads}`,
    );
  }
  return parsed;
}
