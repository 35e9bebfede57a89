import { expect, test } from 'vitest';
import type { GraphOutput } from '../contracts/compiled-model.ts';
import { sparseVector } from './sparse-vector.ts';

const perEntry: GraphOutput = { name: 'sparse', role: 'sparse', per: 'item', width: 4, firstToken: 0, ignoredIds: [] };
const perToken: GraphOutput = { ...perEntry, per: 'token', width: 1, ignoredIds: [0, 2] };

test('a row per item holds a weight for each entry; those of nothing are left out', () => {
  const { ids, weights } = sparseVector(perEntry, Float32Array.of(0, 0.5, 0, 2), Int32Array.of(7));
  expect([...ids]).toEqual([1, 3]);
  expect([...weights]).toEqual([0.5, 2]);
});

test('a row per token: each entry has the largest weight of its tokens, and ignored ids have none', () => {
  const { ids, weights } = sparseVector(
    perToken,
    Float32Array.of(9, 0.5, 0.25, 0.75, 0, 9),
    Int32Array.of(0, 8, 5, 8, 6, 2),
  );
  expect([...ids]).toEqual([5, 8]);
  expect([...weights]).toEqual([0.25, 0.75]);
});

test('rows that begin after the first tokens belong to those that follow', () => {
  const output = { ...perToken, firstToken: 1 };
  expect([...sparseVector(output, Float32Array.of(1, 2), Int32Array.of(0, 8, 5)).ids]).toEqual([5, 8]);
});
