import { expect, test } from 'vitest';
import { readOption } from './read-option.ts';
import { SETTING_ENTRIES } from './schema.ts';
import type { BooleanEntry } from './setting-entry.ts';
import { environmentNameOf, flagOf } from './setting-entry.ts';

const warmUp: BooleanEntry = {
  option: 'model-warmup',
  scope: 'model',
  group: 'Models',
  kind: 'boolean',
  default: true,
  description: 'Run once before the first request',
};

test.each([
  ['true', true],
  [' Yes ', true],
  ['1', true],
  ['0', false],
  ['off', false],
])('a boolean written %j is %s', (text, value) => {
  expect(readOption(warmUp, {}, { INFINITY_MODEL_WARMUP: text }).values).toEqual([value]);
});

test('a boolean list mixes, falls back to its default, and refuses other words', () => {
  expect(readOption(warmUp, {}, { INFINITY_MODEL_WARMUP: 'true;no' }).values).toEqual([true, false]);
  expect(readOption(warmUp, {}, {}).values).toEqual([true]);
  expect(() => readOption(warmUp, { 'model-warmup': ['maybe'] }, {})).toThrow(
    "--model-warmup: expected true or false, got 'maybe'",
  );
});

test('flag and environment name follow from the option name, and no option is named twice', () => {
  expect(flagOf(warmUp)).toBe('--model-warmup');
  expect(environmentNameOf(warmUp)).toBe('INFINITY_MODEL_WARMUP');
  const options = SETTING_ENTRIES.map((entry) => entry.option);
  expect(new Set(options).size).toBe(options.length);
  for (const option of options) expect(option).toMatch(/^[a-z]+(-[a-z]+)*$/);
});

test('the default of every choice is one of its choices', () => {
  for (const entry of SETTING_ENTRIES) {
    if (entry.kind === 'choice') expect(Object.keys(entry.choices)).toContain(entry.default);
  }
});
