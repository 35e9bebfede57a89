import { expect, test } from 'vitest';
import type { OnQualityLoss } from '../../contracts/compile-job.ts';
import type { Quality } from '../../contracts/compiled-model.ts';
import { chooseInt8 } from './choose-int8.ts';
import { fakeTrials, twoLayers } from './testing/fake-trials.ts';

const GOOD: Quality = { texts: 44, leastCosine: 0.995, medianCosine: 0.999 };
const BAD: Quality = { texts: 44, leastCosine: 0.91, medianCosine: 0.995 };
const VNNI = ['avx2', 'avx512_vnni'];

function choose(
  qualities: Readonly<Record<string, Quality>>,
  { onQualityLoss = 'fall-back', cpuAbilities = VNNI, architecture = 'x64', layers = twoLayers() } = {} as {
    onQualityLoss?: OnQualityLoss;
    cpuAbilities?: readonly string[];
    architecture?: string;
    layers?: ReturnType<typeof twoLayers>;
  },
) {
  const { trials, ...seen } = fakeTrials({ qualities });
  const choice = chooseInt8({ ...layers, request: { architecture, cpuAbilities, onQualityLoss }, trials });
  return { choice, ...seen };
}

test.each([
  ['VNNI', 'x64', VNNI, 'int8-by-row'],
  ['no VNNI', 'x64', ['avx2', 'avx512f'], 'int7-by-row'],
  ['arm64', 'arm64', ['asimddp'], 'int8-by-row'],
])('with %s, all layers get the variant whose sums are right there, and none else is tried', async (...row) => {
  const [, architecture, cpuAbilities, name] = row;
  const { choice, tried, removed } = choose({ [name]: GOOD }, { architecture, cpuAbilities });
  expect(await choice).toEqual({ kept: expect.objectContaining({ name, quality: GOOD }) });
  expect(tried).toEqual({ [name]: ['first', 'second'] });
  expect(removed).toEqual([]);
});

test('where all layers lose too much, the closest of the halves that do not is served, with a warning', async () => {
  const close = { ...GOOD, leastCosine: 0.997 };
  const { choice, tried, removed } = choose({
    'int8-by-row': BAD,
    'int8-by-row-behind-norms': GOOD,
    'int8-by-row-not-behind-norms': close,
  });
  const { kept, warning } = await choice;
  expect(kept).toMatchObject({ name: 'int8-by-row-not-behind-norms', quality: close });
  expect(warning).toBe(
    'its int8 graph fails the quality check (cosine at least 0.9100, median 0.9950 of float32 over 44 texts); ' +
      'it is served with part of its layers in float32: cosine at least 0.9970, median 0.9990 of float32 over 44 texts.',
  );
  expect(tried).toMatchObject({
    'int8-by-row-behind-norms': ['first'],
    'int8-by-row-not-behind-norms': ['second'],
  });
  expect(removed).toEqual(['int8-by-row', 'int8-by-row-behind-norms']);
});

test('a half that is closer by its worst text but not good enough is not taken', async () => {
  const { choice, removed } = choose({
    'int8-by-row': BAD,
    'int8-by-row-behind-norms': { texts: 44, leastCosine: 0.985, medianCosine: 0.995 },
    'int8-by-row-not-behind-norms': { texts: 44, leastCosine: 0.9885, medianCosine: 0.9895 },
  });
  expect((await choice).kept?.name).toBe('int8-by-row-behind-norms');
  expect(removed).toEqual(['int8-by-row', 'int8-by-row-not-behind-norms']);
});

test('where no half is good enough, float32 is served, with a warning', async () => {
  const { choice, removed } = choose({
    'int8-by-row': BAD,
    'int8-by-row-behind-norms': BAD,
    'int8-by-row-not-behind-norms': BAD,
  });
  const { kept, warning } = await choice;
  expect(kept).toBeUndefined();
  expect(warning).toMatch(
    /^its int8 graph fails the quality check \(cosine at least 0\.9100.*\); it is served in float32\.$/,
  );
  expect(removed).toEqual(['int8-by-row', 'int8-by-row-behind-norms', 'int8-by-row-not-behind-norms']);
});

test('a model whose layers are all of one kind has no half', async () => {
  const { choice, tried } = choose({ 'int8-by-row': BAD }, { layers: twoLayers({ bothBehindNorms: true }) });
  expect((await choice).kept).toBeUndefined();
  expect(Object.keys(tried)).toEqual(['int8-by-row']);
});

test('a graph that loses too much is kept where that is asked for, with a warning', async () => {
  const { choice, removed } = choose({ 'int8-by-row': BAD }, { onQualityLoss: 'keep' });
  expect(await choice).toEqual({
    kept: expect.objectContaining({ name: 'int8-by-row', quality: BAD }),
    warning:
      'its int8 graph fails the quality check and is served nevertheless: ' +
      'cosine at least 0.9100, median 0.9950 of float32 over 44 texts.',
  });
  expect(removed).toEqual([]);
});

test('a graph that loses too much is refused with the limits and the figures where that is asked for', async () => {
  const scores: Quality = { texts: 44, greatestScoreDifference: 0.1234 };
  await expect(choose({ 'int8-by-row': scores }, { onQualityLoss: 'refuse' }).choice).rejects.toMatchObject({
    code: 'compile_failed',
    message:
      'the int8 graph fails the quality check, expected cosine at least 0.98, median 0.99, scores within 0.1; ' +
      'got scores within 0.1234 of float32 over 44 texts',
  });
  expect(await choose({ 'int8-by-row': GOOD }, { onQualityLoss: 'refuse' }).choice).toMatchObject({
    kept: { name: 'int8-by-row' },
  });
});
