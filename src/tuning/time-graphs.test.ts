import { expect, test } from 'vitest';
import { timeGraphs } from './time-graphs.ts';

test('the best round counts, and the first is for warming up', async () => {
  let clock = 0;
  const graph =
    (...costs: number[]) =>
    async () => {
      clock += costs.shift() ?? 3000;
      return [];
    };
  const encodings = [{ ids: new Int32Array(1), typeIds: new Int32Array(1) }];
  const times = await timeGraphs([graph(1, 500, 400, 700), graph(900, 300, 350, 200)], encodings, () => clock);
  expect(times).toEqual([400, 300]);
});
