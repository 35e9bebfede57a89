import type { Classifier } from '../../architectures/architecture.ts';
import { widthOf } from '../../graph/graph-builder.ts';
import { activation } from '../../layers/activation.ts';
import { linear } from '../../layers/linear.ts';
import { cls } from '../pooling/cls.ts';

/**
 * DeBERTa's pooler (dense and an activation on the first token, beside the model rather than in it) and a linear
 * classifier.
 * Reference: ContextPooler, DebertaV2ForSequenceClassification in
 * https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/deberta_v2/modeling_deberta_v2.py
 */
export function contextPoolerClassifier(poolerActivation: string): Classifier {
  return {
    anchor: 'classifier.weight',
    wantedTokens: 'first',
    logits(g, root, _body, hidden, labels) {
      const pooled = linear(g, root.at('pooler.dense'), cls.pool(g, hidden), widthOf(hidden));
      return linear(g, root.at('classifier'), activation(g, poolerActivation, pooled), labels);
    },
  };
}
