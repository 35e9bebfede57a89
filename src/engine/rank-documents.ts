import type { RankedDocument } from '../contracts/engine.ts';
import { sigmoid } from './sigmoid.ts';

export interface RankOptions {
  /** Keep the best `topN`; `undefined` keeps all. */
  readonly topN: number | undefined;
  /** Logits instead of scores in 0..1. */
  readonly rawScores: boolean;
}

/**
 * Orders documents by logit, descending; ties stay in order. The logit decides, not the score: several scores can round
 * to exactly 1. A score is the logistic function of the logit, in float64.
 */
export function rankDocuments(logits: readonly number[], { topN, rawScores }: RankOptions): readonly RankedDocument[] {
  return logits
    .map((logit, index) => ({ index, logit }))
    .sort((a, b) => b.logit - a.logit)
    .slice(0, topN)
    .map(({ index, logit }) => ({ index, score: rawScores ? logit : sigmoid(logit) }));
}
