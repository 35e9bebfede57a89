import type { JsonObject } from '../../contracts/json.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { BERT_DEFAULTS } from './bert-config.ts';
import { type BertLikeConfig, type NarrowEmbeddingsConfig, parseNarrowEmbeddingsConfig } from './bert-like-config.ts';

export interface AlbertConfig extends NarrowEmbeddingsConfig {
  readonly num_hidden_groups: number;
  readonly inner_group_num: number;
}

const DEFAULTS: BertLikeConfig = {
  ...BERT_DEFAULTS,
  vocab_size: 30000,
  hidden_size: 4096,
  num_attention_heads: 64,
  intermediate_size: 16384,
  hidden_act: 'gelu_new',
};

/**
 * AlbertConfig. Throws `unsupported_architecture` or `invalid_model_folder`.
 * Source: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/albert/configuration_albert.py
 */
export function parseAlbertConfig(json: JsonObject): AlbertConfig {
  const fields = new ConfigFields(json, 'config.json');
  return {
    ...parseNarrowEmbeddingsConfig('albert', json, DEFAULTS),
    num_hidden_groups: fields.positiveInteger('num_hidden_groups', 1),
    inner_group_num: fields.positiveInteger('inner_group_num', 1),
  };
}

/** Which weights each layer in turn uses: `num_hidden_layers` steps over the groups, each of `inner_group_num` layers. */
export function albertLayers(config: AlbertConfig): readonly { readonly group: number; readonly inner: number }[] {
  const stepsPerGroup = config.num_hidden_layers / config.num_hidden_groups;
  return Array.from({ length: config.num_hidden_layers * config.inner_group_num }, (_, index) => ({
    group: Math.floor(Math.floor(index / config.inner_group_num) / stepsPerGroup),
    inner: index % config.inner_group_num,
  }));
}
