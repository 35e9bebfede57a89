import { expect, test } from 'vitest';
import { cutText } from './cut-text.ts';

test.each([
  ['a longer text is cut', 'abcdef', 4, 'abcd'],
  ['a text of that length is kept', 'abcd', 4, 'abcd'],
  ['a shorter text is kept', 'ab', 4, 'ab'],
  ['a surrogate pair is not split', 'abc😀d', 4, 'abc'],
  ['a surrogate pair before the cut stays', 'ab😀d', 4, 'ab😀'],
  ['a lone surrogate is an ordinary character', 'abc\ud83dxy', 4, 'abc\ud83d'],
])('%s', (_name, text, characters, expected) => {
  expect(cutText(text, characters)).toBe(expected);
});
