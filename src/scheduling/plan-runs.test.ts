import { expect, test } from 'vitest';
import { planRuns } from './plan-runs.ts';

const budget = { maxBatchTokens: 20, maxBatchItems: 4 };

test.each([
  ['nothing', [], []],
  ['one item', [7], [[0]]],
  ['items of one length', [5, 5, 5], [[0, 1, 2]]],
  [
    'different lengths apart, the oldest item first',
    [9, 3, 9, 3],
    [
      [0, 2],
      [1, 3],
    ],
  ],
  ['a run that reaches the tokens exactly', [10, 10, 10], [[0, 1], [2]]],
  ['a run that would go over the tokens', [7, 7, 7], [[0, 1], [2]]],
  ['a run that reaches the items', [1, 1, 1, 1, 1], [[0, 1, 2, 3], [4]]],
  ['a run that goes on after a full one', [10, 10, 3, 10, 10], [[0, 1], [2], [3, 4]]],
  ['an item over the budget, in a run of its own', [50, 50, 2], [[0], [1], [2]]],
  ['an item without tokens', [0, 0], [[0, 1]]],
])('plans %s', (_name, lengths, runs) => {
  expect(planRuns(lengths, budget)).toEqual(runs);
});

test('every item is in exactly one run, within the budget, whatever the lengths', () => {
  const lengths = Array.from({ length: 2_000 }, (_, index) => ((index * 7919) % 31) + 1);
  const runs = planRuns(lengths, budget);
  expect(runs.flat().sort((a, b) => a - b)).toEqual(lengths.map((_, index) => index));
  for (const run of runs) {
    const [first = 0] = run;
    const length = lengths[first] ?? 0;
    expect(run.every((index) => lengths[index] === length)).toBe(true);
    expect(run.length <= 4 && (run.length === 1 || run.length * length <= 20)).toBe(true);
  }
  expect(runs.map(([first = 0]) => first)).toEqual([...runs.map(([first = 0]) => first)].sort((a, b) => a - b));
});
