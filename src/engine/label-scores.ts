import type { ScoreFunction } from '../contracts/compiled-model.ts';
import type { LabelScore } from '../contracts/engine.ts';
import { sigmoid } from './sigmoid.ts';

function softmax(logits: readonly number[]): readonly number[] {
  const largest = Math.max(...logits);
  const powers = logits.map((logit) => Math.exp(logit - largest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

const FUNCTIONS: Readonly<Record<ScoreFunction, (logits: readonly number[]) => readonly number[]>> = {
  softmax,
  sigmoid: (logits) => logits.map(sigmoid),
  none: (logits) => logits,
};

/**
 * Every label with its score, in float64, best first; equal scores stay in the order of the labels. Every function here keeps
 * the order of the logits, so that they decide: several scores can round to exactly 1.
 */
export function labelScores(
  row: Float32Array,
  labels: readonly string[],
  scoreFunction: ScoreFunction,
): readonly LabelScore[] {
  const logits = [...row];
  const scores = FUNCTIONS[scoreFunction](logits);
  return logits
    .map((logit, index) => ({ logit, label: labels[index] ?? `LABEL_${index}`, score: scores[index] ?? Number.NaN }))
    .sort((a, b) => b.logit - a.logit)
    .map(({ label, score }) => ({ label, score }));
}
