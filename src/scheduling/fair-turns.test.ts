import { describe, expect, test } from 'vitest';
import { FairTurns, type Turn } from './fair-turns.ts';

/** Serves the first turn alone, over and over, among what `arrive` adds before each step. Returns who was served. */
function served(steps: number, arrive: (step: number) => readonly { name: string; lengths: readonly number[] }[]) {
  const turns = new FairTurns();
  const waiting: (Turn & { name: string })[] = [];
  return Array.from({ length: steps }, (_, step) => {
    for (const { name, lengths } of arrive(step)) {
      for (const [index, turn] of turns.turnsOf(lengths).entries()) {
        waiting.push({ name, turn, length: lengths[index] ?? 0 });
      }
    }
    waiting.sort((a, b) => a.turn - b.turn);
    const requests = new Set(waiting.map(({ name }) => name)).size;
    const [next] = waiting.splice(0, 1);
    if (next !== undefined) turns.serve([next], requests);
    return next?.name;
  });
}

const bulk = { name: 'bulk', lengths: Array.from({ length: 2_048 }, () => 100) };

describe('between requests', () => {
  test('a query that comes during a bulk request waits for one item of it at most', () => {
    const order = served(30, (step) => (step === 0 ? [bulk] : step === 20 ? [{ name: 'query', lengths: [10] }] : []));
    expect(order.indexOf('query')).toBeLessThanOrEqual(21);
  });

  test('a bulk request is not starved by queries that never end', () => {
    const order = served(3_000, (step) => [
      ...(step === 0 ? [bulk] : []),
      // Two new ones for each that is served: more than can ever be answered.
      { name: `a${step}`, lengths: [100] },
      { name: `b${step}`, lengths: [100] },
    ]);
    expect(order.filter((name) => name === 'bulk').length).toBeGreaterThan(3);
    expect(order.slice(1_500)).toContain('bulk');
  });

  test('requests of one item are served in the order of their arrival', () => {
    const order = served(20, (step) => [{ name: `query ${step}`, lengths: [1 + ((step * 37) % 50)] }]);
    expect(order).toEqual(order.map((_, step) => `query ${step}`));
  });

  test('two bulk requests share evenly by tokens, whatever the lengths of their items', () => {
    const small = { name: 'small', lengths: Array.from({ length: 2_048 }, () => 20) };
    const order = served(600, (step) => (step === 0 ? [bulk, small] : []));
    const share = order.filter((name) => name === 'small').length / order.length;
    expect(share).toBeCloseTo(5 / 6, 1);
  });
});

test('items that fill a run before their turn do not count', () => {
  const turns = new FairTurns();
  const [first = 0] = turns.turnsOf([10, 10, 10]);
  turns.serve(
    [
      { turn: first, length: 10 },
      { turn: 500, length: 10 },
    ],
    1,
  );
  expect(turns.turnsOf([1])).toEqual([10]);
});
