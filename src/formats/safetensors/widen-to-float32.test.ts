import { expect, test } from 'vitest';
import { widenToFloat32 } from './widen-to-float32.ts';

const bytesOf = (values: ArrayBufferView<ArrayBuffer>) => new Uint8Array(values.buffer);

test.each<[string, ArrayBufferView<ArrayBuffer>, readonly number[]]>([
  ['F32', Float32Array.of(1.5, -0.1), [1.5, Math.fround(-0.1)]],
  ['F64', Float64Array.of(0.1, -2), [Math.fround(0.1), -2]],
  [
    'F16',
    Uint16Array.of(0x3c00, 0xc000, 0x7bff, 0x0001, 0x8001, 0x03ff, 0x0400, 0x3555, 0x7c00, 0xfc00),
    [1, -2, 65504, 2 ** -24, -(2 ** -24), 1023 * 2 ** -24, 2 ** -14, 0.333251953125, Infinity, -Infinity],
  ],
  ['BF16', Uint16Array.of(0x3f80, 0xc000, 0x0001, 0x7f80), [1, -2, 2 ** -133, Infinity]],
])('%s keeps its values', (dtype, stored, expected) => {
  expect([...(widenToFloat32(dtype, bytesOf(stored)) ?? [])]).toEqual(expected);
});

test('the sign of zero and not-a-number survive', () => {
  const [zero, notANumber] = widenToFloat32('F16', bytesOf(Uint16Array.of(0x8000, 0x7e00))) ?? [];
  expect(Object.is(zero, -0)).toBe(true);
  expect(notANumber).toBeNaN();
});

test('other types are not weights', () => {
  expect(widenToFloat32('I64', new Uint8Array(8))).toBeUndefined();
});
