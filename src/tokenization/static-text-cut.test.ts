import { expect, test } from 'vitest';
import { firstCharacters, medianLength } from './static-text-cut.ts';

test.each([
  ['abc', 3, 'abc'],
  ['abc', 2, 'ab'],
  ['a😀b😀c', 3, 'a😀b'],
  ['😀😀', 3, '😀😀'],
  ['abc', Number.POSITIVE_INFINITY, 'abc'],
])('of %s the first %d characters are %s', (text, count, expected) => {
  expect(firstCharacters(text, count)).toBe(expected);
});

test.each([
  [['a', 'bbbbb', 'ccc'], 3],
  [['a', 'bb', 'ccc', 'dddd'], 2],
  [['a', 'bbbb'], 2],
  [['😀', '😀', '😀😀'], 1],
])('the median length of %j is %d', (tokens, expected) => {
  expect(medianLength(tokens)).toBe(expected);
});
