import { expect, test } from 'vitest';
import { readWhole } from './read-whole.ts';
import { withLowRank } from './with-low-rank.ts';

function weight(name: string, dims: readonly number[], ...chunks: readonly (readonly number[])[]) {
  return { name, dims, chunks: () => chunks.map((chunk) => Float32Array.from(chunk)) };
}

const base = weight('w', [2, 3], [1, 1, 1, 1], [1, 1]);
const left = weight('left', [2, 2, 2], [9, 9, 9, 9], [1, 0, 0, 2]);
const right = weight('right', [2, 2, 3], [9, 9, 9, 9, 9, 9], [1, 2, 3, 4, 5, 6]);

test('the scaled product of the factors of one task is added', () => {
  const merged = withLowRank(base, { left, right, task: 1, scale: 0.5 });
  expect(merged.dims).toEqual([2, 3]);
  expect([...readWhole(merged)]).toEqual([1.5, 2, 2.5, 5, 6, 7]);
});

test('the weight itself is left as it is', () => {
  const numbers = Float32Array.of(1, 2);
  const shared = { name: 'w', dims: [1, 2], chunks: () => [numbers] };
  const factors = { left: weight('l', [1, 1, 1], [1]), right: weight('r', [1, 1, 2], [1, 1]), task: 0, scale: 1 };
  expect([...readWhole(withLowRank(shared, factors))]).toEqual([2, 3]);
  expect([...numbers]).toEqual([1, 2]);
});

test('each task makes a weight of its own', () => {
  const named = (task: number) => withLowRank(base, { left, right, task, scale: 1 }).name;
  expect(named(0)).not.toBe(named(1));
});
