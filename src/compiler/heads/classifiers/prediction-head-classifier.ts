import type { Classifier } from '../../architectures/architecture.ts';
import { widthOf } from '../../graph/graph-builder.ts';
import { activation } from '../../layers/activation.ts';
import { layerNorm } from '../../layers/layer-norm.ts';
import { linear } from '../../layers/linear.ts';
import { cls } from '../pooling/cls.ts';
import { mean } from '../pooling/mean.ts';

export interface PredictionHead {
  readonly pooling: 'cls' | 'mean';
  /** Hugging Face's name of the activation. */
  readonly activation: string;
  /** Whether the dense layer has a bias. */
  readonly bias: boolean;
  readonly normBias: boolean;
  readonly epsilon: number;
}

/**
 * ModernBERT's prediction head (dense, activation, layer norm) over the pooled tokens, and a linear classifier.
 * Reference: ModernBertPredictionHead, ModernBertForSequenceClassification in
 * https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/modernbert/modeling_modernbert.py
 */
export function predictionHeadClassifier(head: PredictionHead): Classifier {
  const pooling = head.pooling === 'cls' ? cls : mean;
  return {
    anchor: 'classifier.weight',
    wantedTokens: pooling.wantedTokens,
    logits(g, root, _body, hidden, labels) {
      const pooled = pooling.pool(g, hidden);
      const dense = linear(g, root.at('head.dense'), pooled, widthOf(pooled), { bias: head.bias });
      const active = activation(g, head.activation, dense);
      const normed = layerNorm(g, root.at('head.norm'), active, head.epsilon, { bias: head.normBias });
      return linear(g, root.at('classifier'), normed, labels);
    },
  };
}
