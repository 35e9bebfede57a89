import type { JsonObject } from '../../contracts/json.ts';
import { activationField } from '../config/activation-field.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { refuseEncoderFields } from '../config/refuse-encoder-fields.ts';
import { requireMultiple } from '../config/require-multiple.ts';

export interface DistilBertConfig {
  readonly vocab_size: number;
  readonly max_position_embeddings: number;
  readonly n_layers: number;
  readonly n_heads: number;
  readonly dim: number;
  readonly hidden_dim: number;
  readonly activation: string;
}

/**
 * DistilBertConfig. Three fields have a second name, which wins where both are there (`attribute_map`).
 * Throws `unsupported_architecture` or `invalid_model_folder`.
 * Source: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/distilbert/configuration_distilbert.py
 */
export function parseDistilBertConfig(config: JsonObject): DistilBertConfig {
  const fields = new ConfigFields(config, 'config.json');
  refuseEncoderFields('distilbert', config);
  const sizeOf = (alias: string, field: string, fallback: number) =>
    fields.positiveInteger(alias, fields.positiveInteger(field, fallback));
  const parsed: DistilBertConfig = {
    vocab_size: fields.positiveInteger('vocab_size', 30522),
    max_position_embeddings: fields.positiveInteger('max_position_embeddings', 512),
    n_layers: sizeOf('num_hidden_layers', 'n_layers', 6),
    n_heads: sizeOf('num_attention_heads', 'n_heads', 12),
    dim: sizeOf('hidden_size', 'dim', 768),
    hidden_dim: fields.positiveInteger('hidden_dim', 3072),
    activation: activationField('distilbert', fields, 'activation', 'gelu'),
  };
  requireMultiple('dim', parsed.dim, 'n_heads', parsed.n_heads);
  return parsed;
}
