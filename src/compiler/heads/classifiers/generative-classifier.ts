import type { Classifier, TextModel } from '../../architectures/architecture.ts';
import { rowDifference } from '../../weights/row-difference.ts';
import { lasttoken } from '../pooling/lasttoken.ts';

/** Token ids of the two answers that a generative reranker chooses between. */
export interface AnswerTokens {
  readonly yes: number;
  /** `undefined` where the logit of the answer yes is the score itself. */
  readonly no: number | undefined;
}

/**
 * The logit of the answer yes less that of no, as the next token after the prompt: `[batch, 1]`. Its sigmoid is the
 * softmax over the two. Of the matrix over the whole vocabulary only the difference of two rows enters the graph.
 */
export function generativeClassifier(
  outputMatrix: NonNullable<TextModel['outputMatrix']>,
  { yes, no }: AnswerTokens,
): Omit<Classifier, 'anchor'> {
  return {
    wantedTokens: 'last',
    logits(g, root, body, hidden) {
      const direction = g.constant(rowDifference(outputMatrix(root, body), yes, no));
      return g.node('MatMul', [lasttoken.pool(g, hidden), direction], { dims: ['batch', 1] });
    },
  };
}
