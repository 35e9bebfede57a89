import { expect, test } from 'vitest';
import { type LaneHistory, type LaneStep, nextLaneStep, RESTART_POLICY } from './next-lane-step.ts';

const restart = (delayMs: number): LaneStep => ({ kind: 'restart', delayMs });
const fail: LaneStep = { kind: 'fail' };

test.each<[string, Partial<LaneHistory>, LaneStep]>([
  ['the first death while idle or in a run: at once', { deathsInARow: 1 }, restart(0)],
  ['the second without an answered run between', { deathsInARow: 2 }, restart(200)],
  ['the third', { deathsInARow: 3 }, restart(400)],
  ['the sixth', { deathsInARow: 6 }, restart(3200)],
  ['the seventh: the pause grows no more', { deathsInARow: 7 }, restart(5000)],
  ['the thousandth', { deathsInARow: 1000 }, restart(5000)],
  ['the first crash at the start', { deathsInARow: 1, deathsWhileStarting: 1 }, restart(0)],
  ['the fourth crash at the start', { deathsInARow: 4, deathsWhileStarting: 4 }, restart(800)],
  ['the fifth crash at the start', { deathsInARow: 5, deathsWhileStarting: 5 }, fail],
  ['many deaths in runs, but it opens each time', { deathsInARow: 9, deathsWhileStarting: 1 }, restart(5000)],
  ['refused with a reason, never open', { deathsInARow: 1, deathsWhileStarting: 1, refused: true }, fail],
  [
    'refused with a reason, but once open',
    { deathsInARow: 2, deathsWhileStarting: 1, refused: true, everOpen: true },
    restart(200),
  ],
  [
    'any number of crashes at the start, but once open',
    { deathsInARow: 40, deathsWhileStarting: 40, everOpen: true },
    restart(5000),
  ],
])('%s', (_, history, step) => {
  const all = { deathsInARow: 0, deathsWhileStarting: 0, refused: false, everOpen: false, ...history };
  expect(nextLaneStep(all, RESTART_POLICY)).toEqual(step);
});
