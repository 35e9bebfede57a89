import { expect, test } from 'vitest';
import { readRopeParameters } from './rope-parameters.ts';

const DEFAULTS = { rope_theta: 10_000, max_position_embeddings: 128 };
const read = (config: Parameters<typeof readRopeParameters>[1]) => readRopeParameters('family', config, DEFAULTS);

test('a config that says nothing takes the defaults', () => {
  expect(read({})).toEqual({ rope_type: 'default', rope_theta: 10_000 });
  expect(read({ rope_scaling: null, rope_theta: 500 })).toEqual({ rope_type: 'default', rope_theta: 500 });
});

test('the older form and the newer one say the same', () => {
  const expected = { rope_type: 'linear', rope_theta: 500, factor: 2 };
  expect(read({ rope_theta: 500, rope_scaling: { type: 'linear', factor: 2 } })).toEqual(expected);
  expect(read({ rope_theta: 500, rope_scaling: { rope_type: 'linear', factor: 2 } })).toEqual(expected);
  expect(read({ rope_parameters: { rope_type: 'linear', factor: 2, rope_theta: 500 } })).toEqual(expected);
});

test('the original length may stand beside the parameters, and is the longest one otherwise', () => {
  const yarn = { rope_type: 'yarn', factor: 2 };
  expect(read({ rope_scaling: yarn })).toMatchObject({ original_max_position_embeddings: 128 });
  expect(read({ rope_scaling: { ...yarn, original_max_position_embeddings: 32 } })).toMatchObject({
    original_max_position_embeddings: 32,
  });
  expect(read({ rope_scaling: yarn, original_max_position_embeddings: 64 })).toMatchObject({
    original_max_position_embeddings: 64,
  });
});

test.each([
  [{ rope_scaling: { type: 'longrope' } }, "family: rope_type is 'longrope', expected one of default, linear, dynamic"],
  [{ partial_rotary_factor: 0.5 }, 'family: partial_rotary_factor is 0.5, expected 1'],
  [
    { rope_parameters: { full_attention: {}, sliding_attention: {} } },
    'family: rope_parameters is given for full_attention, sliding_attention, expected one set for all layers',
  ],
])('%o is refused by name', (config, message) => {
  expect(() => read(config)).toThrow(
    expect.objectContaining({ code: 'unsupported_architecture', message: expect.stringContaining(message) }),
  );
});

test('a scaling without its numbers is refused', () => {
  expect(() => read({ rope_scaling: { type: 'linear' } })).toThrow(
    "config.json, rotary parameters: field 'factor' should be a positive number, got nothing",
  );
});
