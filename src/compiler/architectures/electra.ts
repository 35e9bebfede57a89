/** Reference: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/electra/modeling_electra.py */
import type { JsonObject } from '../../contracts/json.ts';
import { denseClassifier } from '../heads/classifiers/dense-classifier.ts';
import { maskedLmHead } from '../heads/vocabulary/masked-lm-head.ts';
import { linear } from '../layers/linear.ts';
import type { Architecture } from './architecture.ts';
import { BERT_DEFAULTS } from './bert-config.ts';
import { bertEmbeddings } from './bert-embeddings.ts';
import { bertEncoder } from './bert-encoder.ts';
import {
  type BertLikeConfig,
  bertLikeSizes,
  type NarrowEmbeddingsConfig,
  parseNarrowEmbeddingsConfig,
} from './bert-like-config.ts';
import { bertLikeVocabulary } from './bert-like-vocabulary.ts';

const DEFAULTS: BertLikeConfig = {
  ...BERT_DEFAULTS,
  hidden_size: 256,
  num_attention_heads: 4,
  intermediate_size: 1024,
};

/**
 * ElectraConfig. The `summary_…` fields are for multiple choice only.
 * Source: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/electra/configuration_electra.py
 */
const parseConfig = (json: JsonObject) => parseNarrowEmbeddingsConfig('electra', json, DEFAULTS);

/** ElectraClassificationHead: always gelu, whatever `hidden_act` or `summary_activation` says. */
const classifier = denseClassifier({
  dense: (root) => root.at('classifier.dense'),
  activation: 'gelu',
  output: 'classifier.out_proj',
});

/** ElectraGeneratorPredictions: always gelu */
function vocabularyHead(json: JsonObject, config: NarrowEmbeddingsConfig) {
  return maskedLmHead({
    ...bertLikeVocabulary(json, config),
    dense: 'generator_predictions.dense',
    norm: 'generator_predictions.LayerNorm',
    decoder: 'generator_lm_head',
    width: config.embedding_size,
    activation: 'gelu',
  });
}

export const electra: Architecture = {
  modelType: 'electra',
  configure(json) {
    const config = parseConfig(json);
    return {
      ...bertLikeSizes(config),
      /** ElectraModel: generators and small discriminators have embeddings narrower than their layers. */
      hidden(g, w, inputs, wanted) {
        const embedded = bertEmbeddings(g, w.at('embeddings'), inputs, { config, width: config.embedding_size });
        const x =
          config.embedding_size === config.hidden_size
            ? embedded
            : linear(g, w.at('embeddings_project'), embedded, config.hidden_size);
        return bertEncoder(g, w.at('encoder'), config, x, wanted);
      },
      classifier,
      vocabularyHead: vocabularyHead(json, config),
    };
  },
};
