import { expect, test } from 'vitest';
import { planLanes } from './plan-lanes.ts';

const GB = 1e9;
const question = { cores: 2, memoryBytes: 8 * GB, modelBytes: 0.13 * GB, models: 1, lanes: 0, threads: 0 };

test.each([
  ['two cores: one process with both', {}, { lanes: 1, threads: 2 }],
  ['one core', { cores: 1 }, { lanes: 1, threads: 1 }],
  ['twelve cores: no more threads than a run has work for', { cores: 12 }, { lanes: 1, threads: 8 }],
  ['many cores: several processes', { cores: 32, memoryBytes: 64 * GB }, { lanes: 4, threads: 8 }],
  ['many cores and little memory', { cores: 32, memoryBytes: 2 * GB }, { lanes: 2, threads: 8 }],
  ['many cores and no memory', { cores: 32, memoryBytes: 0.1 * GB }, { lanes: 1, threads: 8 }],
  ['memory shared with other models', { cores: 32, memoryBytes: 4 * GB, models: 2 }, { lanes: 2, threads: 8 }],
  ['threads as set', { cores: 4, threads: 2 }, { lanes: 2, threads: 2 }],
  ['lanes as set share the cores', { cores: 4, lanes: 2 }, { lanes: 2, threads: 2 }],
  ['more lanes than cores', { cores: 2, lanes: 3 }, { lanes: 3, threads: 1 }],
  ['both as set, whatever the machine', { lanes: 5, threads: 7, memoryBytes: 0 }, { lanes: 5, threads: 7 }],
])('%s', (_, changes, expected) => {
  expect(planLanes({ ...question, ...changes })).toEqual(expected);
});
