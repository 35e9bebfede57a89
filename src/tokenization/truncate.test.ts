import { Tokenizer as NativeTokenizer } from 'tokenizers';
import { expect, test } from 'vitest';
import { truncateIds, truncatePair } from './truncate.ts';

const ids = Int32Array.from([1, 2, 3, 4, 5]);

const textOf = (length: number, id: number) => ({ ids: new Int32Array(length).fill(id), length });

test.each([
  ['right', 3, [1, 2, 3]],
  ['left', 3, [3, 4, 5]],
  ['right', 5, [1, 2, 3, 4, 5]],
  ['left', 9, [1, 2, 3, 4, 5]],
  ['right', 0, []],
  ['left', 0, []],
] as const)('truncating on the %s to %i ids keeps the other end', (side, keep, expected) => {
  expect([...truncateIds(ids, keep, side)]).toEqual(expected);
});

test.each([
  ['both fit', 3, 4, 3, 4],
  ['only the second is long', 3, 14, 3, 8],
  ['only the first is long', 14, 3, 8, 3],
  ['both are long, the first longer', 12, 9, 6, 5],
  ['both are long, the second longer', 9, 12, 5, 6],
  ['both are long, equally long', 12, 12, 5, 6],
  ['both exceed the limit, the first longer', 40, 30, 6, 5],
  ['an empty second text', 40, 0, 11, 0],
])('with room for 11 of a limit of 14: %s, %i and %i', (_name, first, second, keptOfFirst, keptOfSecond) => {
  const limits = { limit: 14, addedTokens: 3, side: 'right' } as const;
  const [a, b] = truncatePair(textOf(first, 0), textOf(second, 1), limits);
  expect([a.length, b.length]).toEqual([keptOfFirst, keptOfSecond]);
});

test('a pair truncated on the left keeps the end of both texts', () => {
  const text = { ids, length: ids.length };
  const [a, b] = truncatePair(text, text, { limit: 7, addedTokens: 3, side: 'left' });
  expect([...a, ...b]).toEqual([4, 5, 4, 5]);
});

// Only up to the limit: tokenizers 0.23.2 stops encoding a text there when it truncates by itself, and may then take
// the wrong one for the longer.
test('every pair of texts within the limit is shared as the reference implementation shares it', async () => {
  const special = (typeId: number) => ({ SpecialToken: { id: 's', type_id: typeId } });
  const first = { Sequence: { id: 'A', type_id: 0 } };
  const second = { Sequence: { id: 'B', type_id: 1 } };
  const native = NativeTokenizer.fromString(
    JSON.stringify({
      version: '1.0',
      added_tokens: [],
      pre_tokenizer: { type: 'WhitespaceSplit' },
      post_processor: {
        type: 'TemplateProcessing',
        single: [special(0), first, special(0)],
        pair: [special(0), first, special(0), second, special(1)],
        special_tokens: { s: { id: 's', ids: [2], tokens: ['s'] } },
      },
      model: { type: 'WordLevel', vocab: { q: 0, d: 1, s: 2 }, unk_token: 'q' },
    }),
  );
  for (const limit of [4, 5, 8, 11]) {
    native.setTruncation(limit);
    for (let queryLength = 0; queryLength <= limit; queryLength += 1) {
      for (let documentLength = 0; documentLength <= limit; documentLength += 1) {
        const reference = (await native.encode('q '.repeat(queryLength), 'd '.repeat(documentLength))).getIds();
        const limits = { limit, addedTokens: 3, side: 'right' } as const;
        const [a, b] = truncatePair(textOf(queryLength, 0), textOf(documentLength, 1), limits);
        const lengths = `limit ${limit}, lengths ${queryLength} and ${documentLength}`;
        expect([2, ...a, 2, ...b, 2], lengths).toEqual(reference);
      }
    }
  }
});
