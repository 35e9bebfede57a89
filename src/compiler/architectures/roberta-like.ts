/**
 * RoBERTa, and the families that took its code with other defaults.
 * Reference: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/roberta/modeling_roberta.py
 */
import { ServiceError } from '../../contracts/errors.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { robertaClassifier } from '../heads/classifiers/roberta-classifier.ts';
import { countedPositions } from '../layers/counted-positions.ts';
import type { Architecture } from './architecture.ts';
import { bertEmbeddings } from './bert-embeddings.ts';
import { bertEncoder } from './bert-encoder.ts';
import { type BertLikeConfig, bertLikeSizes, parseBertLikeConfig } from './bert-like-config.ts';
import { robertaVocabularyHead } from './roberta-vocabulary-head.ts';

interface RobertaConfig extends BertLikeConfig {
  /** Also the row of the position table before that of the first token. */
  readonly pad_token_id: number;
}

/**
 * RobertaConfig.
 * Source: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/roberta/configuration_roberta.py
 */
function parseConfig(family: string, json: JsonObject, defaults: BertLikeConfig): RobertaConfig {
  const fields = new ConfigFields(json, 'config.json');
  return { ...parseBertLikeConfig(family, json, defaults), pad_token_id: fields.wholeNumber('pad_token_id', 1) };
}

/** Rows of the position table that tokens can have: those behind `pad_token_id`. */
function positionCount({ max_position_embeddings: rows, pad_token_id: padId }: RobertaConfig): number {
  const count = rows - padId - 1;
  if (count > 0) return count;
  throw new ServiceError(
    'invalid_model_folder',
    `config.json: max_position_embeddings should be over pad_token_id + 1, got ${rows} and ${padId}`,
  );
}

export function robertaLike(modelType: string, defaults: BertLikeConfig): Architecture {
  return {
    modelType,
    configure(json) {
      const config = parseConfig(modelType, json, defaults);
      return {
        ...bertLikeSizes(config),
        maxPositions: positionCount(config),
        /** RobertaModel without its pooler. */
        hidden(g, w, inputs, wanted) {
          const positionIds = countedPositions(g, inputs.ids, config.pad_token_id);
          const options = { config, width: config.hidden_size, positionIds };
          const x = bertEmbeddings(g, w.at('embeddings'), inputs, options);
          return bertEncoder(g, w.at('encoder'), config, x, wanted);
        },
        classifier: robertaClassifier,
        vocabularyHead: robertaVocabularyHead(json, config),
      };
    },
  };
}
