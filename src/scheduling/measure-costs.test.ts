import { expect, test } from 'vitest';
import type { Scheduler } from '../contracts/scheduler.ts';
import { areOutdated, measureCosts } from './measure-costs.ts';
import { runMs } from './run-costs.ts';

const costs = { fixedMs: 3, msPerToken: 0.2, msPerPair: 0.000_1 };

/** An idle queue on a clock of its own, where each submission is one run at these costs. */
function queueOf(load: (submissions: number) => number = () => 0) {
  let now = 0;
  const lengths: number[] = [];
  const scheduler: Scheduler = {
    reserve: () => () => {},
    submit(items) {
      const length = items[0]?.ids.length ?? 0;
      lengths.push(length);
      expect(new Set(items.map(({ ids }) => ids[0])).size).toBe(items.length);
      now += runMs(costs, items.length, length);
      return Promise.resolve([]);
    },
    load: () => ({ queuedItems: load(lengths.length), queuedTokens: 0, runningItems: 0 }),
    failure: () => undefined,
    drain: () => Promise.resolve(),
  };
  return { scheduler, lengths, nowMs: () => now };
}

const limits = { vocabularySize: 1_000, maxSequenceLength: 512 };

test('finds what runs cost', async () => {
  const { scheduler, nowMs } = queueOf();
  const found = await measureCosts(scheduler, limits, nowMs);
  expect(found?.fixedMs).toBeCloseTo(3, 3);
  expect(found?.msPerToken).toBeCloseTo(0.2, 4);
});

test('never exceeds what the model takes', async () => {
  const { scheduler, lengths, nowMs } = queueOf();
  await measureCosts(scheduler, { ...limits, maxSequenceLength: 256 }, nowMs);
  expect(Math.max(...lengths)).toBe(256);
});

test.each([
  ['like it', 1, false],
  ['a third slower', 1.33, false],
  ['three times slower', 3, true],
])('costs %s are outdated or not', async (_, factor, expected) => {
  const { scheduler, nowMs } = queueOf();
  const stored = { fixedMs: 3 * factor, msPerToken: 0.2 * factor, msPerPair: 0 };
  expect(await areOutdated(stored, scheduler, limits, nowMs)).toBe(expected);
});

test('gives up at once when the model is used', async () => {
  const { scheduler, lengths, nowMs } = queueOf((submissions) => (submissions >= 4 ? 1 : 0));
  expect(await measureCosts(scheduler, limits, nowMs)).toBeUndefined();
  expect(lengths).toHaveLength(4);
});
