import { expect, test } from 'vitest';
import { planRun } from './plan-run.ts';
import { USUAL_COSTS } from './run-costs.ts';

const budget = { maxBatchTokens: 4_096, maxBatchItems: 4 };
const group = (length: number, count: number, turn: number, order: number) => ({
  key: length,
  length,
  count,
  turn,
  order,
});

test.each([
  ['nothing waits', [], undefined],
  ['one length', [group(8, 3, 0, 1)], { key: 8, count: 3 }],
  ['as many as the budget holds', [group(8, 9, 0, 1)], { key: 8, count: 4 }],
  ['the first turn, however few are of its length', [group(8, 9, 5, 1), group(9, 1, 4, 2)], { key: 9, count: 1 }],
  ['of equal turns the older one', [group(8, 9, 4, 3), group(9, 1, 4, 2)], { key: 9, count: 1 }],
])('%s', (_, groups, expected) => {
  expect(planRun(groups, budget, USUAL_COSTS)).toEqual(expected);
});
