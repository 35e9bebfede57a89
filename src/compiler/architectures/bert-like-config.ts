import type { JsonObject } from '../../contracts/json.ts';
import { activationField } from '../config/activation-field.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { refuseEncoderFields } from '../config/refuse-encoder-fields.ts';
import { requireMultiple } from '../config/require-multiple.ts';
import type { TextModel } from './architecture.ts';

/** The fields that BERT's config class and those modelled on it share. */
export interface BertLikeConfig {
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

/**
 * Every shared field that changes the result of inference, with the family's own defaults; a value that the graph does
 * not follow is refused by name. The rest are dropout, initialisation, training and generation.
 * Throws `unsupported_architecture` or `invalid_model_folder`.
 */
export function parseBertLikeConfig(family: string, config: JsonObject, defaults: BertLikeConfig): BertLikeConfig {
  const fields = new ConfigFields(config, 'config.json');
  refuseEncoderFields(family, config);
  const parsed: BertLikeConfig = {
    vocab_size: fields.positiveInteger('vocab_size', defaults.vocab_size),
    hidden_size: fields.positiveInteger('hidden_size', defaults.hidden_size),
    num_hidden_layers: fields.positiveInteger('num_hidden_layers', defaults.num_hidden_layers),
    num_attention_heads: fields.positiveInteger('num_attention_heads', defaults.num_attention_heads),
    intermediate_size: fields.positiveInteger('intermediate_size', defaults.intermediate_size),
    hidden_act: activationField(family, fields, 'hidden_act', defaults.hidden_act),
    max_position_embeddings: fields.positiveInteger('max_position_embeddings', defaults.max_position_embeddings),
    type_vocab_size: fields.positiveInteger('type_vocab_size', defaults.type_vocab_size),
    layer_norm_eps: fields.positiveNumber('layer_norm_eps', defaults.layer_norm_eps),
  };
  requireMultiple('hidden_size', parsed.hidden_size, 'num_attention_heads', parsed.num_attention_heads);
  return parsed;
}

type SizeFields = Pick<BertLikeConfig, 'hidden_size' | 'vocab_size' | 'max_position_embeddings' | 'type_vocab_size'>;

/** The sizes of a model whose config and checkpoint have BERT's names. A model without token types has all of one type. */
export function bertLikeSizes(config: SizeFields) {
  return {
    hiddenSize: config.hidden_size,
    vocabularySize: config.vocab_size,
    maxPositions: config.max_position_embeddings,
    tokenTypes: Math.max(config.type_vocab_size, 1),
    anchor: 'embeddings.word_embeddings.weight',
  } satisfies Partial<TextModel>;
}

/** Of families whose embeddings are narrower than their layers. */
export interface NarrowEmbeddingsConfig extends BertLikeConfig {
  readonly embedding_size: number;
}

/** As `parseBertLikeConfig`; both families that have the field default to 128. */
export function parseNarrowEmbeddingsConfig(
  family: string,
  config: JsonObject,
  defaults: BertLikeConfig,
): NarrowEmbeddingsConfig {
  const embeddingSize = new ConfigFields(config, 'config.json').positiveInteger('embedding_size', 128);
  return { ...parseBertLikeConfig(family, config, defaults), embedding_size: embeddingSize };
}
