import type { Classifier } from '../../architectures/architecture.ts';
import { widthOf } from '../../graph/graph-builder.ts';
import { activation } from '../../layers/activation.ts';
import { linear } from '../../layers/linear.ts';
import { cls } from '../pooling/cls.ts';

/**
 * BERT's pooler (dense and tanh on the first token) and a linear classifier.
 * Reference: BertPooler, BertForSequenceClassification in
 * https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/bert/modeling_bert.py
 */
export const poolerClassifier: Classifier = {
  wantedTokens: 'first',
  logits(g, root, body, hidden, labels) {
    const pooled = linear(g, body.at('pooler.dense'), cls.pool(g, hidden), widthOf(hidden));
    return linear(g, root.at('classifier'), activation(g, 'tanh', pooled), labels);
  },
};
