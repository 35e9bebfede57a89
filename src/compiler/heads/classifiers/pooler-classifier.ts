import type { Classifier } from '../../architectures/architecture.ts';
import { denseClassifier } from './dense-classifier.ts';

/**
 * BERT's pooler (dense and tanh on the first token) and a linear classifier.
 * Reference: BertPooler, BertForSequenceClassification in
 * https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/bert/modeling_bert.py
 */
export const poolerClassifier: Classifier = denseClassifier({
  dense: (_root, body) => body.at('pooler.dense'),
  activation: 'tanh',
  output: 'classifier',
});
