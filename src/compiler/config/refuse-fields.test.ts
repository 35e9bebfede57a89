import { expect, test } from 'vitest';
import { refuseFields } from './refuse-fields.ts';

const FOLLOWED = { is_decoder: [false], pruned_heads: [{}], quantization_config: [], kind: ['a', 'b'] };

test('values that are followed, and fields that are missing or null, pass', () => {
  expect(() => refuseFields({}, 'family', FOLLOWED)).not.toThrow();
  const config = { is_decoder: false, pruned_heads: {}, quantization_config: null, kind: 'b', other: 1 };
  expect(() => refuseFields(config, 'family', FOLLOWED)).not.toThrow();
});

test.each([
  [{ is_decoder: true }, 'family: is_decoder is true, expected false'],
  [{ pruned_heads: { 1: [0] } }, 'family: pruned_heads is {"1":[0]}, expected {}'],
  [{ quantization_config: { bits: 8 } }, 'family: quantization_config is {"bits":8}, expected nothing'],
  [{ kind: 'c' }, 'family: kind is "c", expected "a" or "b"'],
])('%o is refused by name', (config, message) => {
  expect(() => refuseFields(config, 'family', FOLLOWED)).toThrow(
    expect.objectContaining({ code: 'unsupported_architecture', message }),
  );
});
