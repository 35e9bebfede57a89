import { describe, expect, test } from 'vitest';
import { parseRopeParameters } from '../config/rope-parameters.ts';
import { rotaryTable } from './rope-scaling.ts';

const DEFAULTS = { rope_theta: 10_000, max_position_embeddings: 128 };

const tableOf = (json: Parameters<typeof parseRopeParameters>[1]) =>
  rotaryTable(parseRopeParameters('family', json, DEFAULTS), 8, 128);

/** 10000^(-2i/8) */
const UNSCALED = [1, 0.1, 0.01, 0.001];

/** Angles are float32. */
function expectClose(actual: readonly number[], expected: readonly number[]): void {
  expect(actual).toHaveLength(expected.length);
  for (const [index, value] of expected.entries()) expect((actual[index] ?? 0) / value).toBeCloseTo(1, 6);
}

test('without scaling the angles fall from 1 by a constant factor', () => {
  expectClose(tableOf({}).inverseFrequencies, UNSCALED);
  expect(tableOf({}).magnitude).toBeUndefined();
});

test('dynamic changes nothing up to the longest sequence', () => {
  expectClose(tableOf({ type: 'dynamic', factor: 4 }).inverseFrequencies, UNSCALED);
});

test('linear divides every angle', () => {
  expectClose(tableOf({ type: 'linear', factor: 4 }).inverseFrequencies, [0.25, 0.025, 0.0025, 0.00025]);
});

test('llama3 keeps short waves, stretches long ones and mixes those between', () => {
  const { inverseFrequencies } = tableOf({
    rope_type: 'llama3',
    factor: 8,
    low_freq_factor: 1,
    high_freq_factor: 4,
    original_max_position_embeddings: 128,
  });
  const smooth = (128 / (20 * Math.PI) - 1) / 3;
  expectClose(inverseFrequencies, [1, ((1 - smooth) * 0.1) / 8 + smooth * 0.1, 0.01 / 8, 0.001 / 8]);
});

describe('yarn', () => {
  const YARN = { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 32 };

  test('keeps waves that turn often and stretches slow ones', () => {
    expectClose(tableOf(YARN).inverseFrequencies, [1, 0.025, 0.0025, 0.00025]);
  });

  test('mixes both between, on a ramp that need not begin and end at whole pairs', () => {
    const end = (8 * Math.log(32 / (0.1 * 2 * Math.PI))) / (2 * Math.log(10_000));
    const { inverseFrequencies } = tableOf({ ...YARN, truncate: false, beta_slow: 0.1 });
    expectClose(inverseFrequencies, [1, 0.025 / end + 0.1 * (1 - 1 / end), 0.0025, 0.00025]);
  });

  test.each([
    [{}, 0.1 * Math.log(4) + 1],
    [{ attention_factor: 1.5 }, 1.5],
    [{ mscale: 0.5, mscale_all_dim: 2 }, (0.05 * Math.log(4) + 1) / (0.2 * Math.log(4) + 1)],
  ])('%o gives magnitude %d', (fields, magnitude) => {
    expect(tableOf({ ...YARN, ...fields }).magnitude).toBeCloseTo(magnitude, 12);
  });

  test('without a factor it is the ratio of the lengths', () => {
    const { factor: _factor, ...stated } = YARN;
    expectClose(tableOf(stated).inverseFrequencies, tableOf(YARN).inverseFrequencies);
  });
});
