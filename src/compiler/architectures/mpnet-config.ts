import { ServiceError } from '../../contracts/errors.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { unsupportedField } from '../config/unsupported-field.ts';
import { BERT_DEFAULTS } from './bert-config.ts';
import { type BertLikeConfig, parseBertLikeConfig } from './bert-like-config.ts';

export interface MPNetConfig extends Omit<BertLikeConfig, 'type_vocab_size'> {
  /** Rows of the bias table; the reference's forward uses the first 32 whatever this says. */
  readonly relative_attention_num_buckets: number;
}

/** Fixed in the reference's code: neither follows the config. */
export const PAD_ID = 1;
export const BUCKETS = { buckets: 32, maxDistance: 128 };

/**
 * MPNetConfig. Throws `unsupported_architecture` or `invalid_model_folder`.
 * Source: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/mpnet/configuration_mpnet.py
 */
export function parseMPNetConfig(json: JsonObject): MPNetConfig {
  const { type_vocab_size: _none, ...config } = parseBertLikeConfig('mpnet', json, {
    ...BERT_DEFAULTS,
    vocab_size: 30527,
  });
  const rows = new ConfigFields(json, 'config.json').positiveInteger('relative_attention_num_buckets', 32);
  if (rows < BUCKETS.buckets) {
    throw unsupportedField('mpnet', 'relative_attention_num_buckets', String(rows), `at least ${BUCKETS.buckets}`);
  }
  if (config.max_position_embeddings <= PAD_ID + 1) {
    throw new ServiceError(
      'invalid_model_folder',
      `config.json: max_position_embeddings should be over ${PAD_ID + 1}, got ${config.max_position_embeddings}`,
    );
  }
  return { ...config, relative_attention_num_buckets: rows };
}
