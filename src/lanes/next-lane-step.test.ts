import { expect, test } from 'vitest';
import { type LaneHistory, type LaneStep, nextLaneStep, RESTART_POLICY } from './next-lane-step.ts';

const restart = (delayMs: number, mayNotReturn = false): LaneStep => ({ kind: 'restart', delayMs, mayNotReturn });
const fail: LaneStep = { kind: 'fail' };

test.each<[string, Partial<LaneHistory>, LaneStep]>([
  ['the first death while idle or in a run: at once', { deathsInARow: 1 }, restart(0)],
  ['the second without an answered run between', { deathsInARow: 2 }, restart(200)],
  ['the third', { deathsInARow: 3 }, restart(400)],
  ['the sixth', { deathsInARow: 6 }, restart(3200, true)],
  ['the fifth: nobody should wait for it', { deathsInARow: 5 }, restart(1600, true)],
  ['the tenth: the pause grows no more', { deathsInARow: 10 }, restart(30_000, true)],
  ['the thousandth', { deathsInARow: 1000 }, restart(30_000, true)],
  ['the first crash at the start', { deathsInARow: 1, deathsWhileStarting: 1 }, restart(0)],
  ['the fourth crash at the start', { deathsInARow: 4, deathsWhileStarting: 4 }, restart(800)],
  ['the fifth crash at the start', { deathsInARow: 5, deathsWhileStarting: 5 }, fail],
  ['many deaths in runs, but it opens each time', { deathsInARow: 9, deathsWhileStarting: 1 }, restart(25_600, true)],
  ['a start that hung', { deathsInARow: 1, deathsWhileStarting: 1, hungStarts: 1 }, restart(0)],
  ['the second start that hung', { deathsInARow: 2, deathsWhileStarting: 2, hungStarts: 2 }, fail],
  [
    'the second start that hung, but once open',
    { deathsInARow: 2, deathsWhileStarting: 2, hungStarts: 2, everOpen: true },
    restart(200, true),
  ],
  ['refused with a reason, never open', { deathsInARow: 1, deathsWhileStarting: 1, refused: true }, fail],
  [
    'refused with a reason, but once open',
    { deathsInARow: 2, deathsWhileStarting: 1, refused: true, everOpen: true },
    restart(200),
  ],
  [
    'any number of crashes at the start, but once open',
    { deathsInARow: 40, deathsWhileStarting: 40, everOpen: true },
    restart(30_000, true),
  ],
])('%s', (_, history, step) => {
  const all = { deathsInARow: 0, deathsWhileStarting: 0, hungStarts: 0, refused: false, everOpen: false, ...history };
  expect(nextLaneStep(all, RESTART_POLICY)).toEqual(step);
});
