import { expect, test } from 'vitest';
import { CallJoiner, splitCall, type TokenizerCall } from './call-parts.ts';

const LIMITS = { maxCharacters: 4, maxTexts: 3 };

const encode = (...texts: readonly string[]): TokenizerCall => ({
  kind: 'encode',
  texts,
  options: { truncation: 'left' },
});
const encodePairs = (query: string, ...documents: readonly string[]): TokenizerCall => ({
  kind: 'encodePairs',
  query,
  documents,
  options: {},
});

test.each<[string, TokenizerCall, number]>([
  ['no text', encode(), 1],
  ['an empty text', encode(''), 1],
  ['texts that fit', encode('ab', 'cd'), 1],
  ['a text that fills a part', encode('abcd', 'e'), 2],
  ['a text over several parts', encode('a', 'bcdefghijk', 'l', 'm'), 4],
  ['a text that fills two parts', encode('abcdefgh', '', 'i'), 3],
  ['more texts than a part holds', encode('', '', '', ''), 2],
  ['a surrogate pair across a cut', encode('abc😀d', '\ud83d'), 2],
  ['a query without documents', encodePairs('q'), 1],
  ['a long query and documents', encodePairs('long query', 'a', 'a long document', ''), 7],
])('%s come together as they were', (_name, call, count) => {
  const parts = splitCall(call, LIMITS);
  expect(parts).toHaveLength(count);
  for (const { texts } of parts) {
    expect(texts.length).toBeLessThanOrEqual(LIMITS.maxTexts);
    expect(texts.join('').length).toBeLessThanOrEqual(LIMITS.maxCharacters);
  }
  const joiner = new CallJoiner();
  const calls = parts.map((part) => joiner.add(1, part));
  expect(calls.slice(0, -1)).toEqual(new Array(count - 1).fill(undefined));
  expect(calls.at(-1)).toEqual(call);
});

test('the parts of two calls may come in turns', () => {
  const joiner = new CallJoiner();
  const first = splitCall(encode('abcdefg'), LIMITS);
  const second = splitCall(encodePairs('q', '12345'), LIMITS);
  expect(first).toHaveLength(2);
  expect(second).toHaveLength(3);
  const calls = [0, 1, 2].flatMap((index) =>
    [first[index], second[index]].map((part, id) => part && joiner.add(id, part)),
  );
  expect(calls.filter((call) => call !== undefined)).toEqual([encode('abcdefg'), encodePairs('q', '12345')]);
});
