import type { BertLikeConfig } from './bert-like-config.ts';

/**
 * BertConfig's defaults, also those of the config classes made after it, where they do not say otherwise.
 * Source: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/bert/configuration_bert.py
 */
export const BERT_DEFAULTS: BertLikeConfig = {
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
