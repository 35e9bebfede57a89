import type { JsonObject } from '../../contracts/json.ts';
import { maskedLmHead } from '../heads/vocabulary/masked-lm-head.ts';
import type { VocabularyHead } from './architecture.ts';
import { type BertLikeVocabularyConfig, bertLikeVocabulary } from './bert-like-vocabulary.ts';

/** RobertaLMHead, and MPNetLMHead after it: always gelu, whatever `hidden_act` says. */
export function robertaVocabularyHead(json: JsonObject, config: BertLikeVocabularyConfig): VocabularyHead {
  return maskedLmHead({
    ...bertLikeVocabulary(json, config),
    dense: 'lm_head.dense',
    norm: 'lm_head.layer_norm',
    decoder: 'lm_head.decoder',
    bias: 'lm_head.bias',
    activation: 'gelu',
  });
}
