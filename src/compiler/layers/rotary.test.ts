import { expect, test } from 'vitest';
import { inverseFrequencies } from './rotary.ts';

test('frequencies are those of the reference to the last bit of a float32', () => {
  const frequencies = inverseFrequencies(64, 160000);
  expect(frequencies).toHaveLength(32);
  const expected = [1, 0.687656044960022, 0.472870796918869, 9.088847036764491e-6];
  expect([0, 1, 2, 31].map((index) => frequencies[index])).toEqual(expected.map(Math.fround));
});
