import type { JsonObject } from '../../contracts/json.ts';
import { activationField } from '../config/activation-field.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { refuseFields } from '../config/refuse-fields.ts';
import { requireMultiple } from '../config/require-multiple.ts';

/** `original` is two layers with `hidden_act` between them; the others have a gate of an activation that they name. */
const FEED_FORWARD_TYPES = ['original', 'geglu', 'reglu'];

export interface JinaBertConfig {
  readonly vocab_size: number;
  readonly hidden_size: number;
  readonly num_hidden_layers: number;
  readonly num_attention_heads: number;
  readonly intermediate_size: number;
  readonly feed_forward_type: string;
  readonly hidden_act: string;
  readonly max_position_embeddings: number;
  readonly type_vocab_size: number;
  readonly layer_norm_eps: number;
}

/**
 * Every field of JinaBertConfig that changes the result of inference, with its defaults. The rest are dropout,
 * initialisation, training, `attn_implementation`, and `emb_pooler`, which only the model's own `encode` reads.
 * Source: https://huggingface.co/jinaai/jina-bert-implementation/blob/main/configuration_bert.py
 */
export function parseJinaBertConfig(config: JsonObject): JinaBertConfig {
  const fields = new ConfigFields(config, 'config.json');
  refuseFields(config, 'jina bert', {
    position_embedding_type: ['alibi'],
    feed_forward_type: FEED_FORWARD_TYPES,
    is_decoder: [false],
    add_cross_attention: [false],
    pruned_heads: [{}],
    quantization_config: [],
  });
  const parsed: JinaBertConfig = {
    vocab_size: fields.positiveInteger('vocab_size', 30522),
    hidden_size: fields.positiveInteger('hidden_size', 768),
    num_hidden_layers: fields.positiveInteger('num_hidden_layers', 12),
    num_attention_heads: fields.positiveInteger('num_attention_heads', 12),
    intermediate_size: fields.positiveInteger('intermediate_size', 3072),
    feed_forward_type: fields.text('feed_forward_type', 'original'),
    hidden_act: activationField('jina bert', fields, 'hidden_act', 'gelu'),
    max_position_embeddings: fields.positiveInteger('max_position_embeddings', 512),
    type_vocab_size: fields.positiveInteger('type_vocab_size', 2),
    layer_norm_eps: fields.positiveNumber('layer_norm_eps', 1e-12),
  };
  requireMultiple('hidden_size', parsed.hidden_size, 'num_attention_heads', parsed.num_attention_heads);
  return parsed;
}
