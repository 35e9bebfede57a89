import { expect, test } from 'vitest';
import { alibiSlopes } from './alibi.ts';

const powers = (exponents: readonly number[]) => exponents.map((exponent) => expect.closeTo(2 ** exponent, 12));

test('heads that are a power of two have slopes from 2^(-8 / heads) down to 2^-8', () => {
  expect(alibiSlopes(4)).toEqual(powers([-2, -4, -6, -8]));
  expect(alibiSlopes(8)).toEqual(powers([-1, -2, -3, -4, -5, -6, -7, -8]));
});

test('12 heads have the slopes of 8, then every second one of 16', () => {
  expect(alibiSlopes(12)).toEqual(powers([-1, -2, -3, -4, -5, -6, -7, -8, -0.5, -1.5, -2.5, -3.5]));
});

test('one head has one slope', () => {
  expect(alibiSlopes(1)).toEqual(powers([-8]));
});
