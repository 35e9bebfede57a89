import { expect, test } from 'vitest';
import { base64Text, floatText } from './vector-text.ts';

test.each([
  [[0.1], '[0.10000000149011612]'],
  [[1, -2.5, 0], '[1,-2.5,0]'],
  [[1e-7, 3.4028234663852886e38], '[1.0000000116860974e-7,3.4028234663852886e+38]'],
  [[], '[]'],
])('the float32 numbers %j are printed in full', (numbers, text) => {
  const vector = Float32Array.from(numbers);
  expect(floatText(vector)).toBe(text);
  expect(Float32Array.from(JSON.parse(text))).toEqual(vector);
});

test('base64 holds the bytes of a view and nothing around it', () => {
  const whole = Float32Array.of(9, 1, -2.5, 9);
  const text = JSON.parse(base64Text(whole.subarray(1, 3)));
  const bytes = Buffer.from(text, 'base64');
  expect([bytes.length, bytes.readFloatLE(0), bytes.readFloatLE(4)]).toEqual([8, 1, -2.5]);
});
