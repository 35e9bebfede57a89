import { expect, test } from 'vitest';
import { USUAL_COSTS } from './run-costs.ts';
import { runSize } from './run-size.ts';

const budget = { maxBatchTokens: 4_096, maxBatchItems: 32 };

test.each([
  ['short items: the limit of items', 8, budget, USUAL_COSTS, 32],
  ['longer ones: what pays, about 440 tokens', 64, budget, USUAL_COSTS, 6],
  ['the longest: one', 512, budget, USUAL_COSTS, 1],
  ['longer than the budget: one', 8_192, budget, USUAL_COSTS, 1],
  ['a smaller budget of tokens', 64, { ...budget, maxBatchTokens: 130 }, USUAL_COSTS, 2],
  ['a large fixed part pays for more', 64, budget, { ...USUAL_COSTS, fixedMs: 6 }, 20],
  ['a large model: short enough for others', 64, budget, { fixedMs: 20, msPerToken: 2, msPerPair: 0 }, 1],
  ['a large model: not mostly its fixed part', 16, budget, { fixedMs: 50, msPerToken: 2, msPerPair: 0 }, 10],
])('%s', (_, length, limits, costs, expected) => {
  expect(runSize(length, limits, costs)).toBe(expected);
});
