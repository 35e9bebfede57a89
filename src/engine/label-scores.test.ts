import { expect, test } from 'vitest';
import { labelScores } from './label-scores.ts';

const LABELS = ['a', 'b', 'c'];
const row = Float32Array.of(1, 3, 2);

test('softmax: the scores of all labels sum to 1, best first', () => {
  const scores = labelScores(row, LABELS, 'softmax');
  expect(scores.map(({ label }) => label)).toEqual(['b', 'c', 'a']);
  expect(scores.map(({ score }) => score)).toEqual([
    expect.closeTo(0.66524096, 7),
    expect.closeTo(0.24472847, 7),
    expect.closeTo(0.09003057, 7),
  ]);
});

test('sigmoid: each label has a score of its own', () => {
  expect(labelScores(row, LABELS, 'sigmoid').map(({ score }) => score)).toEqual([
    expect.closeTo(0.95257413, 7),
    expect.closeTo(0.88079708, 7),
    expect.closeTo(0.73105858, 7),
  ]);
});

test('none: the logits', () => {
  expect(labelScores(row, LABELS, 'none').map(({ score }) => score)).toEqual([3, 2, 1]);
});

test('the logit decides where scores round to the same number, then the order of the labels', () => {
  const large = Float32Array.of(50, 60, 50);
  expect(labelScores(large, LABELS, 'sigmoid').map(({ label }) => label)).toEqual(['b', 'a', 'c']);
});

test('large logits do not overflow', () => {
  expect(labelScores(Float32Array.of(1e4, 0), LABELS, 'softmax').map(({ score }) => score)).toEqual([1, 0]);
});
