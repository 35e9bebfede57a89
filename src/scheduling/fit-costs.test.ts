import { expect, test } from 'vitest';
import { fitCosts, type TimedShape } from './fit-costs.ts';
import { type RunCosts, runMs } from './run-costs.ts';

const SHAPES = [
  [1, 8],
  [16, 16],
  [4, 64],
  [1, 256],
  [1, 512],
] as const;

const timed = (costs: RunCosts, factor = (_: number) => 1): TimedShape[] =>
  SHAPES.map(([batch, length], index) => ({ batch, length, ms: runMs(costs, batch, length) * factor(index) }));

const small: RunCosts = { fixedMs: 2, msPerToken: 0.14, msPerPair: 0.000_05 };
const large: RunCosts = { fixedMs: 60, msPerToken: 3, msPerPair: 0.000_2 };

test.each([
  ['a small model', small],
  ['a large model', large],
])('finds the costs of %s', (_, costs) => {
  const found = fitCosts(timed(costs));
  expect(found?.fixedMs).toBeCloseTo(costs.fixedMs, 4);
  expect(found?.msPerToken).toBeCloseTo(costs.msPerToken, 6);
  expect(found?.msPerPair).toBeCloseTo(costs.msPerPair, 8);
});

test('noise of a tenth moves a prediction by little more', () => {
  const found = fitCosts(timed(small, (index) => (index % 2 === 0 ? 1.1 : 0.9)));
  expect(found).toBeDefined();
  for (const [batch, length] of SHAPES) {
    const ratio = found === undefined ? 0 : runMs(found, batch, length) / runMs(small, batch, length);
    expect(Math.abs(ratio - 1)).toBeLessThan(0.2);
  }
});

test('the fixed part stays within the shortest run', () => {
  const noFixed = fitCosts(timed({ ...small, fixedMs: 0 }));
  expect(noFixed?.fixedMs).toBeCloseTo(0.2 * 8 * 0.14, 1);
  expect(noFixed?.fixedMs).toBeGreaterThan(0);
});

test('a fixed part that outweighs a hundred tokens is none of the model', () => {
  const disturbed = fitCosts(timed({ ...small, fixedMs: 20 }));
  expect(disturbed?.fixedMs).toBeCloseTo(100 * small.msPerToken, 4);
  expect(fitCosts(timed({ ...small, fixedMs: 205 }))).toBeUndefined();
});

test.each([
  ['nothing', []],
  ['too few shapes', timed(small).slice(0, 2)],
  ['one shape over and over', Array.from({ length: 5 }, () => ({ batch: 1, length: 8, ms: 3 }))],
  ['longer runs that took no longer', timed(small).map(({ batch, length }) => ({ batch, length, ms: 3 / length }))],
])('%s tells nothing', (_, shapes) => {
  expect(fitCosts(shapes)).toBeUndefined();
});
