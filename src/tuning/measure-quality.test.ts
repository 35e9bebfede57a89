import { expect, test } from 'vitest';
import type { GraphOutput, OutputRole } from '../contracts/compiled-model.ts';
import { INT8_LIMITS, isWithin } from './judge-quality.ts';
import { measureQuality } from './measure-quality.ts';

const output = (role: OutputRole): GraphOutput => ({
  name: role,
  role,
  per: 'item',
  width: 2,
  firstToken: 0,
  ignoredIds: [],
});
const texts = (...rows: number[][]) => rows.map((row) => [Float32Array.from(row)]);

test('vectors are compared by cosine: the least and the median', () => {
  const quality = measureQuality(
    { outputs: [output('embedding')] },
    texts([1, 0], [0, 1], [1, 1]),
    texts([2, 0], [1, 1], [1, 1]),
  );
  expect(quality.texts).toBe(3);
  expect(quality.leastCosine).toBeCloseTo(Math.SQRT1_2, 6);
  expect(quality.medianCosine).toBeCloseTo(1, 6);
  expect(isWithin(quality, INT8_LIMITS)).toBe(false);
});

test('logits are compared as scores', () => {
  const quality = measureQuality(
    { outputs: [output('logits')], classification: { labels: ['a', 'b'], scoreFunction: 'softmax' } },
    texts([0, 0]),
    texts([Math.log(3), 0]),
  );
  expect(quality).toEqual({ texts: 1, greatestScoreDifference: expect.closeTo(0.25, 6) });
});

test('a number that is not finite fails the check, and zeros equal zeros', () => {
  const outputs = [output('sparse')];
  expect(isWithin(measureQuality({ outputs }, texts([1, 1]), texts([Number.NaN, 1])), INT8_LIMITS)).toBe(false);
  expect(isWithin(measureQuality({ outputs }, texts([0, 0]), texts([0, 0])), INT8_LIMITS)).toBe(true);
});
