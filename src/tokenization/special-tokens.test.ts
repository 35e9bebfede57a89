import { expect, test } from 'vitest';
import { joinTexts, readSpecialTokens } from './special-tokens.ts';

const plain = (arrays: readonly { ids: Int32Array; typeIds: Int32Array }[]) =>
  arrays.map(({ ids, typeIds }) => ({ ids: [...ids], typeIds: [...typeIds] }));

const bertPair = { ids: [101, 7, 102, 7, 102], typeIds: [0, 0, 0, 1, 1], textOf: [null, 0, null, 1, null] };

test('reads prefix, middle and suffix of a pair with their type ids', () => {
  const special = readSpecialTokens(bertPair, 2);
  expect(plain(special.gaps)).toEqual([
    { ids: [101], typeIds: [0] },
    { ids: [102], typeIds: [0] },
    { ids: [102], typeIds: [1] },
  ]);
  expect(special.textTypeIds).toEqual([0, 1]);
  expect(special.count).toBe(3);
});

test('reads a tokenizer that adds nothing', () => {
  const special = readSpecialTokens({ ids: [7], typeIds: [0], textOf: [0] }, 1);
  expect(special.count).toBe(0);
  expect(plain([joinTexts(special, [Int32Array.from([5, 6])])])).toEqual([{ ids: [5, 6], typeIds: [0, 0] }]);
});

test('joins texts of any length, empty ones too', () => {
  const special = readSpecialTokens(bertPair, 2);
  expect(plain([joinTexts(special, [Int32Array.from([1, 2]), Int32Array.from([3])])])).toEqual([
    { ids: [101, 1, 2, 102, 3, 102], typeIds: [0, 0, 0, 0, 1, 1] },
  ]);
  expect(plain([joinTexts(special, [new Int32Array(), new Int32Array()])])).toEqual([
    { ids: [101, 102, 102], typeIds: [0, 0, 1] },
  ]);
});

test.each([
  ['drops a text', { ids: [101, 7], typeIds: [0, 0], textOf: [null, 0] }],
  ['swaps the texts', { ids: [7, 8], typeIds: [0, 0], textOf: [1, 0] }],
  ['interrupts a text', { ids: [7, 9, 7, 8], typeIds: [0, 0, 0, 0], textOf: [0, null, 0, 1] }],
])('refuses a post-processor that %s', (_name, probe) => {
  expect(() => readSpecialTokens(probe, 2)).toThrow(expect.objectContaining({ code: 'invalid_model_folder' }));
});
