import type { Classifier } from '../../architectures/architecture.ts';
import { widthOf } from '../../graph/graph-builder.ts';
import { activation } from '../../layers/activation.ts';
import { linear } from '../../layers/linear.ts';
import type { WeightScope } from '../../weights/weight-scope.ts';
import { cls } from '../pooling/cls.ts';

export interface DenseClassifierOptions {
  /** The layer that keeps the width; `root` and `body` as in `Classifier`. */
  dense(root: WeightScope, body: WeightScope): WeightScope;
  /** Hugging Face's name of the activation after it; no config of these families changes it. */
  readonly activation: string;
  /** Path, from the checkpoint's top, of the layer that gives the logits. */
  readonly output: string;
}

/** A dense layer on the first token, an activation, a linear layer: families differ in the names and the activation. */
export function denseClassifier(options: DenseClassifierOptions): Classifier {
  return {
    anchor: `${options.output}.weight`,
    wantedTokens: 'first',
    logits(g, root, body, hidden, labels) {
      const dense = linear(g, options.dense(root, body), cls.pool(g, hidden), widthOf(hidden));
      return linear(g, root.at(options.output), activation(g, options.activation, dense), labels);
    },
  };
}
