import { expect, test } from 'vitest';
import { chunkTexts } from './chunk-texts.ts';

const limits = { maxCharacters: 5, maxTexts: 3 };

test.each([
  ['nothing', [], []],
  ['texts that fit together', ['ab', 'c'], [['ab', 'c']]],
  ['texts that fill a chunk exactly', ['abc', 'de', 'f'], [['abc', 'de'], ['f']]],
  ['a text over the limit between others', ['a', 'bcdefgh', 'i'], [['a'], ['bcdefgh'], ['i']]],
  ['empty texts, bounded by number', ['', '', '', ''], [['', '', ''], ['']]],
])('chunks %s', (_name, texts, expected) => {
  const chunks = chunkTexts(
    texts.map((text) => ({ text })),
    limits,
  );
  expect(chunks.map((chunk) => chunk.map((entry) => entry.text))).toEqual(expected);
});
