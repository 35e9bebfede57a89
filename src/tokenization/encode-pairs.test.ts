import { expect, test } from 'vitest';
import { comparable } from './encode-pairs.ts';

const ids = new Int32Array(40);
const text = (length: number | undefined) => ({ ids, length });
const odd = { limit: 40, addedTokens: 3 };
const even = { limit: 40, addedTokens: 4 };

test.each([
  ['both lengths are known', 50, 60, odd, [50, 60]],
  ['a cut text is longer than one within the limit', undefined, 40, odd, [41, 40]],
  ['a text within the limit is shorter than a cut one', 7, undefined, odd, [7, 41]],
  ['there is no odd id to give away', undefined, 60, even, [41, 60]],
])('two texts are compared when %s', (_name, first, second, limits, lengths) => {
  expect(comparable(text(first), text(second), limits)?.map(({ length }) => length)).toEqual(lengths);
});

test.each([
  ['both were cut', undefined, undefined],
  ['the first was cut and the second exceeds the limit', undefined, 60],
  ['the second was cut and the first exceeds the limit', 60, undefined],
])('the longer text is unknown when %s', (_name, first, second) => {
  expect(comparable(text(first), text(second), odd)).toBeUndefined();
});
