import type { JsonObject } from '../../contracts/json.ts';
import { ConfigFields } from '../config/config-fields.ts';
import type { MaskedLmOptions } from '../heads/vocabulary/masked-lm-head.ts';
import type { BertLikeConfig } from './bert-like-config.ts';

type SharedOptions = Omit<MaskedLmOptions, 'dense' | 'norm' | 'decoder' | 'bias'>;

export type BertLikeVocabularyConfig = Omit<BertLikeConfig, 'type_vocab_size'>;

/** What the output layers of BERT and those modelled on it share: all but the names, and what a family says otherwise. */
export function bertLikeVocabulary(json: JsonObject, config: BertLikeVocabularyConfig): SharedOptions {
  return {
    embeddings: 'embeddings.word_embeddings.weight',
    tied: new ConfigFields(json, 'config.json').flag('tie_word_embeddings', true),
    vocabularySize: config.vocab_size,
    width: config.hidden_size,
    activation: config.hidden_act,
    epsilon: config.layer_norm_eps,
  };
}
