import { expect, test } from 'vitest';
import { rankDocuments } from './rank-documents.ts';

const all = { topN: undefined, rawScores: true };

test('orders by logit, descending, ties in order', () => {
  expect(rankDocuments([-1, 1, 0, -1, 1], all).map(({ index }) => index)).toEqual([1, 4, 2, 0, 3]);
});

test('scores are the logistic function of the logits', () => {
  const scores = rankDocuments([-1, 1, 0, -1], { ...all, rawScores: false });
  expect(scores.map(({ index }) => index)).toEqual([1, 2, 0, 3]);
  expect(scores.map(({ score }) => score)).toEqual([0.7310585786300049, 0.5, 0.2689414213699951, 0.2689414213699951]);
});

test('documents whose scores both round to 1 are still ordered', () => {
  expect(rankDocuments([50, 60], { ...all, rawScores: false })).toEqual([
    { index: 1, score: 1 },
    { index: 0, score: 1 },
  ]);
});

test('extreme logits give scores of 0 and 1', () => {
  const scores = rankDocuments([-1e4, 1e4], { ...all, rawScores: false });
  expect(scores.map(({ score }) => score)).toEqual([1, 0]);
});

test.each([
  [undefined, 3],
  [1, 1],
  [3, 3],
  [8_000, 3],
])('topN %s keeps %i of 3', (topN, expected) => {
  expect(rankDocuments([1, 2, 3], { topN, rawScores: true })).toHaveLength(expected);
});
