/** Reference: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/electra/modeling_electra.py */
import type { JsonObject } from '../../contracts/json.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { denseClassifier } from '../heads/classifiers/dense-classifier.ts';
import { maskedLmHead } from '../heads/vocabulary/masked-lm-head.ts';
import { linear } from '../layers/linear.ts';
import type { Architecture } from './architecture.ts';
import { BERT_DEFAULTS } from './bert-config.ts';
import { bertEmbeddings } from './bert-embeddings.ts';
import { bertEncoder } from './bert-encoder.ts';
import { type BertLikeConfig, parseBertLikeConfig } from './bert-like-config.ts';

const DEFAULTS: BertLikeConfig = {
  ...BERT_DEFAULTS,
  hidden_size: 256,
  num_attention_heads: 4,
  intermediate_size: 1024,
};

interface ElectraConfig extends BertLikeConfig {
  readonly embedding_size: number;
}

/**
 * ElectraConfig. The `summary_…` fields are for multiple choice only.
 * Source: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/electra/configuration_electra.py
 */
function parseConfig(json: JsonObject): ElectraConfig {
  const fields = new ConfigFields(json, 'config.json');
  const config = parseBertLikeConfig('electra', json, DEFAULTS);
  return { ...config, embedding_size: fields.positiveInteger('embedding_size', 128) };
}

/** ElectraClassificationHead: always gelu, whatever `hidden_act` or `summary_activation` says. */
const classifier = denseClassifier({
  dense: (root) => root.at('classifier.dense'),
  activation: 'gelu',
  output: 'classifier.out_proj',
});

/** ElectraGeneratorPredictions: always gelu */
function vocabularyHead(json: JsonObject, config: ElectraConfig) {
  return maskedLmHead({
    dense: 'generator_predictions.dense',
    norm: 'generator_predictions.LayerNorm',
    decoder: 'generator_lm_head',
    embeddings: 'embeddings.word_embeddings.weight',
    tied: new ConfigFields(json, 'config.json').flag('tie_word_embeddings', true),
    vocabularySize: config.vocab_size,
    width: config.embedding_size,
    activation: 'gelu',
    epsilon: config.layer_norm_eps,
  });
}

export const electra: Architecture = {
  modelType: 'electra',
  configure(json) {
    const config = parseConfig(json);
    return {
      hiddenSize: config.hidden_size,
      vocabularySize: config.vocab_size,
      maxPositions: config.max_position_embeddings,
      tokenTypes: config.type_vocab_size,
      anchor: 'embeddings.word_embeddings.weight',
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
