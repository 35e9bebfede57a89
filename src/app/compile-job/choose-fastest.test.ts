import { expect, test } from 'vitest';
import type { Quality } from '../../contracts/compiled-model.ts';
import { chooseFastest } from './choose-fastest.ts';
import { fakeTrials, type TrialFigures, twoLayers } from './testing/fake-trials.ts';

const CLOSE: Quality = { texts: 44, leastCosine: 0.9996, medianCosine: 0.9999 };
/** Good enough for int8, but not unnoticed. */
const NEAR: Quality = { texts: 44, leastCosine: 0.999, medianCosine: 0.9999 };
const VNNI = ['avx2', 'avx512_vnni'];

function choose(figures: TrialFigures, cpuAbilities: readonly string[] = VNNI) {
  const { trials, ...seen } = fakeTrials(figures);
  const request = { architecture: 'x64', cpuAbilities, onQualityLoss: 'fall-back' } as const;
  return { choice: chooseFastest({ ...twoLayers(), request, trials }), ...seen };
}

test('the fastest of the graphs that nobody notices is kept, the others are removed', async () => {
  const { choice, tried, timed, removed } = choose({
    qualities: { 'int8-by-row': CLOSE, 'int7-by-row': CLOSE, 'int8-blocks': CLOSE },
    float32Ms: 100,
    milliseconds: { 'int8-by-row': 60, 'int7-by-row': 55, 'int8-blocks': 80 },
  });
  expect(await choice).toEqual({ kept: expect.objectContaining({ name: 'int7-by-row', quality: CLOSE }) });
  expect(tried).toEqual({
    'int8-by-row': ['first', 'second'],
    'int7-by-row': ['first', 'second'],
    'int8-blocks': ['first', 'second'],
  });
  expect(timed).toEqual(['int8-by-row', 'int7-by-row', 'int8-blocks']);
  expect(removed).toEqual(['int8-by-row', 'int8-blocks']);
});

test('a graph that loses more is not even timed, however fast it is', async () => {
  const { choice, timed, removed } = choose({
    qualities: { 'int8-by-row': NEAR, 'int7-by-row': NEAR, 'int8-blocks': CLOSE },
    float32Ms: 100,
    milliseconds: { 'int8-by-row': 1, 'int7-by-row': 1, 'int8-blocks': 90 },
  });
  expect((await choice).kept?.name).toBe('int8-blocks');
  expect(timed).toEqual(['int8-blocks']);
  expect(removed).toEqual(['int8-by-row', 'int7-by-row']);
});

test.each([
  [95, 'int8-blocks'],
  [96, undefined],
])('of a graph that takes %d ms where float32 takes 100, %s is kept', async (ms, expected) => {
  const { choice, removed } = choose({
    qualities: { 'int8-by-row': NEAR, 'int7-by-row': NEAR, 'int8-blocks': CLOSE },
    float32Ms: 100,
    milliseconds: { 'int8-blocks': ms },
  });
  expect((await choice).kept?.name).toBe(expected);
  expect(removed.includes('int8-blocks')).toBe(expected === undefined);
});

test('where every graph loses too much, float32 is served and nothing is timed', async () => {
  const { choice, timed, removed } = choose({
    qualities: { 'int8-by-row': NEAR, 'int7-by-row': NEAR, 'int8-blocks': NEAR },
  });
  expect(await choice).toEqual({ kept: undefined });
  expect(timed).toEqual([]);
  expect(removed).toEqual(['int8-by-row', 'int7-by-row', 'int8-blocks']);
});

test('graphs that this CPU would compute wrongly are not tried', async () => {
  const { choice, tried } = choose(
    {
      qualities: { 'int7-by-row': CLOSE, 'int8-blocks': CLOSE },
      float32Ms: 100,
      milliseconds: { 'int7-by-row': 70, 'int8-blocks': 90 },
    },
    ['avx2', 'fma'],
  );
  expect((await choice).kept?.name).toBe('int7-by-row');
  expect(Object.keys(tried)).toEqual(['int7-by-row', 'int8-blocks']);
});
