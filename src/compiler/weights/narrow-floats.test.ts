import { expect, test } from 'vitest';
import { widenToFloat32 } from '../../formats/safetensors/widen-to-float32.ts';
import { toBfloat16, toFloat16 } from './narrow-floats.ts';

const FORMS = [
  { dtype: 'F16', narrow: toFloat16, exponent: 0x7c00 },
  { dtype: 'BF16', narrow: toBfloat16, exponent: 0x7f80 },
];

test.each(FORMS)('every finite number of $dtype comes back bit for bit', ({ dtype, narrow, exponent }) => {
  const bits = Uint16Array.from({ length: 0x10000 }, (_, index) => index).filter(
    (each) => (each & exponent) !== exponent,
  );
  const wide = widenToFloat32(dtype, new Uint8Array(bits.buffer)) ?? new Float32Array();
  expect(narrow(wide)).toEqual(bits);
});

test.each([
  [1, 0x3c00],
  [1 + 2 ** -11, 0x3c00],
  [1 + 3 * 2 ** -11, 0x3c02],
  [1 + 2 ** -11 + 2 ** -20, 0x3c01],
  [65_519, 0x7bff],
  [-(2 ** -25), 0x8000],
  [3 * 2 ** -25, 0x0002],
  [2 ** -14 - 2 ** -26, 0x0400],
])('%d is rounded to the nearest float16, ties to even', (value, bits) => {
  expect(toFloat16(Float32Array.of(value))?.[0]).toBe(bits);
});

test.each([
  [1 + 2 ** -8, 0x3f80],
  [1 + 3 * 2 ** -8, 0x3f82],
  [-1 - 2 ** -8 - 2 ** -20, 0xbf81],
])('%d is rounded to the nearest bfloat16, ties to even', (value, bits) => {
  expect(toBfloat16(Float32Array.of(value))?.[0]).toBe(bits);
});

test('numbers that have no place in the type are not narrowed', () => {
  for (const value of [65_520, -1e6, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(toFloat16(Float32Array.of(0, value))).toBeUndefined();
  }
  expect(toBfloat16(Float32Array.of(1e38))).toHaveLength(1);
  for (const value of [3.4e38, Number.NaN, Number.NEGATIVE_INFINITY]) {
    expect(toBfloat16(Float32Array.of(0, value))).toBeUndefined();
  }
});
