/** Reference: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/bert/modeling_bert.py */
import type { JsonObject } from '../../contracts/json.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { poolerClassifier } from '../heads/classifiers/pooler-classifier.ts';
import { maskedLmHead } from '../heads/vocabulary/masked-lm-head.ts';
import type { Architecture } from './architecture.ts';
import { type BertConfig, parseBertConfig } from './bert-config.ts';
import { bertEmbeddings } from './bert-embeddings.ts';
import { bertEncoder } from './bert-encoder.ts';

/** BertOnlyMLMHead */
function vocabularyHead(json: JsonObject, config: BertConfig) {
  return maskedLmHead({
    dense: 'cls.predictions.transform.dense',
    norm: 'cls.predictions.transform.LayerNorm',
    decoder: 'cls.predictions.decoder',
    bias: 'cls.predictions.bias',
    embeddings: 'embeddings.word_embeddings.weight',
    tied: new ConfigFields(json, 'config.json').flag('tie_word_embeddings', true),
    vocabularySize: config.vocab_size,
    width: config.hidden_size,
    activation: config.hidden_act,
    epsilon: config.layer_norm_eps,
  });
}

export const bert: Architecture = {
  modelType: 'bert',
  configure(json) {
    const config = parseBertConfig(json);
    return {
      hiddenSize: config.hidden_size,
      vocabularySize: config.vocab_size,
      maxPositions: config.max_position_embeddings,
      tokenTypes: config.type_vocab_size,
      anchor: 'embeddings.word_embeddings.weight',
      /** BertModel without its pooler. */
      hidden(g, w, inputs, wanted) {
        const x = bertEmbeddings(g, w.at('embeddings'), inputs, { config, width: config.hidden_size });
        return bertEncoder(g, w.at('encoder'), config, x, wanted);
      },
      classifier: poolerClassifier,
      vocabularyHead: vocabularyHead(json, config),
    };
  },
};
