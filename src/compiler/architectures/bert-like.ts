/**
 * BERT, and the families that took its code.
 * Reference: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/bert/modeling_bert.py
 */
import type { JsonObject } from '../../contracts/json.ts';
import { poolerClassifier } from '../heads/classifiers/pooler-classifier.ts';
import { maskedLmHead } from '../heads/vocabulary/masked-lm-head.ts';
import type { Weight } from '../weights/weight.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import type { Architecture } from './architecture.ts';
import { BERT_DEFAULTS } from './bert-config.ts';
import { bertEmbeddings } from './bert-embeddings.ts';
import { bertEncoder } from './bert-encoder.ts';
import { type BertLikeConfig, bertLikeSizes, parseBertLikeConfig } from './bert-like-config.ts';
import { bertLikeVocabulary } from './bert-like-vocabulary.ts';

/** BertOnlyMLMHead */
function vocabularyHead(json: JsonObject, config: BertLikeConfig) {
  return maskedLmHead({
    ...bertLikeVocabulary(json, config),
    dense: 'cls.predictions.transform.dense',
    norm: 'cls.predictions.transform.LayerNorm',
    decoder: 'cls.predictions.decoder',
    bias: 'cls.predictions.bias',
  });
}

/** A table of `embeddings`, the scope, whose first row is added to every token; `undefined` where the config has none. */
export type ReadFixedType = (embeddings: WeightScope, json: JsonObject, config: BertLikeConfig) => Weight | undefined;

export function bertLike(modelType: string, readFixedType: ReadFixedType = () => undefined): Architecture {
  return {
    modelType,
    configure(json) {
      const config = parseBertLikeConfig(modelType, json, BERT_DEFAULTS);
      return {
        ...bertLikeSizes(config),
        /** BertModel without its pooler. */
        hidden(g, w, inputs, wanted) {
          const embeddings = w.at('embeddings');
          const fixedType = readFixedType(embeddings, json, config);
          const options = { config, width: config.hidden_size, ...(fixedType === undefined ? {} : { fixedType }) };
          return bertEncoder(g, w.at('encoder'), config, bertEmbeddings(g, embeddings, inputs, options), wanted);
        },
        classifier: poolerClassifier,
        vocabularyHead: vocabularyHead(json, config),
      };
    },
  };
}
