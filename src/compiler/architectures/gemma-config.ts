import type { JsonObject } from '../../contracts/json.ts';
import { activationField } from '../config/activation-field.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { type DecoderConfig, type DecoderSizes, padTokenId } from './decoder-config.ts';

/** What Gemma 2 and Gemma 3 read alike: all but the sizes, the layers and the direction of attention. */
export type GemmaTraits = Omit<DecoderConfig, keyof DecoderSizes | 'causal' | 'layers' | 'headNorms' | 'scoreSoftcap'>;

/** Source: https://github.com/huggingface/transformers/blob/v5.0.0/src/transformers/models/gemma2/modeling_gemma2.py */
export function parseGemmaTraits(family: string, json: JsonObject, { hidden_size }: DecoderSizes): GemmaTraits {
  const fields = new ConfigFields(json, 'config.json');
  const attentionBias = fields.flag('attention_bias', false);
  return {
    activation: activationField(family, fields, 'hidden_activation', 'gelu_pytorch_tanh'),
    bias: { queryKeyValue: attentionBias, output: attentionBias, feedForward: false },
    sandwichNorms: true,
    embeddingScale: Math.sqrt(hidden_size),
    scoreScale: fields.positiveNumber('query_pre_attn_scalar', 256) ** -0.5,
    padTokenId: padTokenId(json, 0),
    tiedEmbeddings: fields.flag('tie_word_embeddings', true),
  };
}
