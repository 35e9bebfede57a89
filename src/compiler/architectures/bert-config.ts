import type { JsonObject } from '../../contracts/json.ts';
import { type BertLikeConfig, parseBertLikeConfig } from './bert-like-config.ts';

export type BertConfig = BertLikeConfig;

/** Also the defaults of the config classes made after BERT's, where they do not say otherwise. */
export const BERT_DEFAULTS: BertConfig = {
  vocab_size: 30522,
  hidden_size: 768,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  intermediate_size: 3072,
  hidden_act: 'gelu',
  max_position_embeddings: 512,
  type_vocab_size: 2,
  layer_norm_eps: 1e-12,
};

/**
 * BertConfig; errors as `parseBertLikeConfig`.
 * Source: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/bert/configuration_bert.py
 */
export function parseBertConfig(config: JsonObject): BertConfig {
  return parseBertLikeConfig('bert', config, BERT_DEFAULTS);
}
