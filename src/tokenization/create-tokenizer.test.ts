import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Tokenizer as NativeTokenizer } from 'tokenizers';
import { afterAll, describe, expect, test } from 'vitest';
import { fakeModelFolder } from '../../test/fakes/model-folder.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import type { Encoding } from '../contracts/tokenizer.ts';
import { createTokenizer } from './create-tokenizer.ts';
import { truncatePair } from './truncate.ts';

const GOLDEN = fileURLToPath(new URL('../../test/golden/public/', import.meta.url));
const BGE = fileURLToPath(new URL('../../models/bge-small-en-v1.5', import.meta.url));
const LIMITS = { vocabularySize: 30_522, maxPositions: 512 };

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function folderAt(folderPath: string): ModelFolder {
  const readJson = (name: string): JsonObject | undefined => {
    const filePath = path.join(folderPath, name);
    return existsSync(filePath) ? JSON.parse(readFileSync(filePath, 'utf8')) : undefined;
  };
  return fakeModelFolder({
    path: folderPath,
    files: readdirSync(folderPath),
    sentenceBertConfig: readJson('sentence_bert_config.json'),
    sentenceTransformersConfig: readJson('config_sentence_transformers.json'),
    tokenizerConfig: readJson('tokenizer_config.json'),
  });
}

/** A folder that holds only this tokenizer.json. */
function folderWith(tokenizer: JsonObject | string): ModelFolder {
  const folderPath = mkdtempSync(path.join(tmpdir(), 'tokenizer-'));
  folders.push(folderPath);
  const text = typeof tokenizer === 'string' ? tokenizer : JSON.stringify(tokenizer);
  writeFileSync(path.join(folderPath, 'tokenizer.json'), text);
  return folderAt(folderPath);
}

function wordLevel(overrides: JsonObject = {}): JsonObject {
  return {
    version: '1.0',
    added_tokens: [],
    pre_tokenizer: { type: 'WhitespaceSplit' },
    model: { type: 'WordLevel', vocab: { unk: 0, a: 1, b: 2, A: 3, '[X]': 4 }, unk_token: 'unk' },
    ...overrides,
  };
}

const idsOf = (encodings: readonly Encoding[]) => encodings.map(({ ids }) => [...ids]);

/** The ids that the whole text has, without truncation and without special tokens. */
async function wholeIds(text: string): Promise<readonly number[]> {
  const native = NativeTokenizer.fromFile(path.join(BGE, 'tokenizer.json'));
  native.disableTruncation();
  native.disablePadding();
  return (await native.encode(text, null, { addSpecialTokens: false })).getIds();
}

describe('a text longer than the limit', () => {
  // With a limit of 64 a text is first cut to 496 characters.
  const words = 'the quick brown fox jumps over unbelievable tokenization '.repeat(200);
  test.each([
    ['plain words', words],
    ['one huge word', 'x'.repeat(20_000)],
    ['words over the longest that the model takes', `${'ab'.repeat(60)} `.repeat(200)],
    ['a long run of whitespace before the text', `${' \t\n'.repeat(3_000)}${words}`],
    ['long runs of whitespace between words', `word${' '.repeat(300)}`.repeat(80)],
    ['nothing but whitespace', ' '.repeat(20_000)],
    ['Chinese and Japanese', '東京は日本の首都です。今天天气很好'.repeat(300)],
    ['combining marks without end', `a${'\u0301'.repeat(10_000)} b c`],
    ['a combining mark on every letter', 'e\u0301\u0323o\u0308 '.repeat(800)],
    ['surrogate pairs', '😀🚀👍🏽'.repeat(2_000)],
    ['surrogate pairs, shifted by one', `x${'😀🚀👍🏽'.repeat(2_000)}`],
    ['lone surrogates and NUL', '\ud83d\u0000 a\udc00b '.repeat(2_000)],
    ['literal special tokens', '[SEP][MASK] [CLS]x'.repeat(600)],
    ['punctuation', '...,;!?--'.repeat(1_000)],
    ['a dense beginning and an empty end', `${'a b c d '.repeat(14)}${' '.repeat(20_000)}z`],
    ['characters that vanish', `${'\u200b\u0001\ufeff'.repeat(4_000)}end of the text`],
  ])('keeps the ids of the whole text: %s', async (_name, text) => {
    const tokenizer = await createTokenizer(folderAt(BGE), { ...LIMITS, maxPositions: 64 });
    const whole = await wholeIds(text);
    expect(idsOf(await tokenizer.encode([text]))).toEqual([[101, ...whole.slice(0, 62), 102]]);
  });

  // With a limit of 16 the cut is after 112 characters; spaces in front move the text across it.
  test.each([
    ['words of one token', 'another '.repeat(60)],
    ['a special token', `${'another '.repeat(13)}[MASK] ${'another '.repeat(40)}`],
    ['a word that is too long for the model', `${'another '.repeat(13)}${'ab'.repeat(60)} ${'another '.repeat(40)}`],
    ['a combining mark and a surrogate pair', `${'another '.repeat(13)}e\u0301😀東京 ${'another '.repeat(40)}`],
  ])('keeps the ids of the whole text wherever the cut falls in %s', async (_name, text) => {
    const whole = await wholeIds(text);
    const tokenizer = await createTokenizer(folderAt(BGE), { ...LIMITS, maxPositions: 16 });
    const texts = Array.from({ length: 24 }, (_, shift) => ' '.repeat(shift) + text);
    const kept = [101, ...whole.slice(0, 14), 102];
    for (const ids of idsOf(await tokenizer.encode(texts))) expect(ids).toEqual(kept);
  });

  test('is not cut when the tokenizer sees a text as one word', async () => {
    const folder = folderWith(
      wordLevel({
        pre_tokenizer: null,
        model: {
          type: 'BPE',
          vocab: { a: 0, b: 1, ' ': 2, aa: 3, ' b': 4 },
          merges: [
            ['a', 'a'],
            [' ', 'b'],
          ],
        },
      }),
    );
    const tokenizer = await createTokenizer(folder, { vocabularySize: 5, maxPositions: 3 });
    expect(idsOf(await tokenizer.encode(['aaaaaaa b b b'.repeat(50)]))).toEqual([[3, 3, 3]]);
  });

  test('keeps its end when the model truncates on the left', async () => {
    const folder = { ...folderWith(wordLevel()), tokenizerConfig: { truncation_side: 'left' } };
    const tokenizer = await createTokenizer(folder, { vocabularySize: 5, maxPositions: 3 });
    expect(idsOf(await tokenizer.encode([`${'a '.repeat(10_000)}b a b`, 'a b']))).toEqual([
      [2, 1, 2],
      [1, 2],
    ]);
    expect(idsOf(await tokenizer.encodePairs('a a b', ['b b b a']))).toEqual([[2, 2, 1]]);
  });
});

test.each([
  [40, 'an odd number of ids to share'],
  [41, 'an even number of ids to share'],
])('pairs with a limit of %i (%s) are truncated as if all of both texts had been encoded', async (maxPositions) => {
  const folder = folderAt(path.join(GOLDEN, 'bert-reranker/model'));
  const limits = { vocabularySize: 100_000, maxPositions };
  const tokenizer = await createTokenizer({ ...folder, tokenizerConfig: undefined }, limits);
  const native = NativeTokenizer.fromFile(path.join(folder.path, 'tokenizer.json'));
  const bare = { addSpecialTokens: false };
  const texts = [
    '',
    'cats',
    'cats sleep. '.repeat(3),
    'the river was '.repeat(8),
    'dogs '.repeat(90),
    'a '.repeat(400),
  ];
  for (const query of texts) {
    const encodings = await tokenizer.encodePairs(query, texts);
    for (const [index, document] of texts.entries()) {
      const first = Int32Array.from((await native.encode(query, null, bare)).getIds());
      const second = Int32Array.from((await native.encode(document, null, bare)).getIds());
      const [a, b] = truncatePair(
        { ids: first, length: first.length },
        { ids: second, length: second.length },
        { limit: maxPositions, addedTokens: 3, side: 'right' },
      );
      expect([...(encodings[index]?.ids ?? [])]).toEqual([2, ...a, 3, ...b, 3]);
    }
  }
});

test('results do not depend on the other texts of a request', async () => {
  const tokenizer = await createTokenizer(folderAt(BGE), LIMITS);
  const texts = Array.from({ length: 600 }, (_, index) => `text number ${index} `.repeat(1 + (index % 70)));
  const together = await tokenizer.encode(texts);
  const alone = await Promise.all(texts.slice(0, 40).map((text) => tokenizer.encode([text])));
  expect(together).toHaveLength(600);
  expect(idsOf(together.slice(0, 40))).toEqual(idsOf(alone.flat()));
});

test('an empty request gives an empty answer', async () => {
  const tokenizer = await createTokenizer(folderAt(BGE), LIMITS);
  expect(await tokenizer.encode([])).toEqual([]);
  expect(await tokenizer.encodePairs('query', [])).toEqual([]);
});

test('lone surrogates and NUL bytes are encoded, not fatal', async () => {
  const tokenizer = await createTokenizer(folderAt(BGE), LIMITS);
  expect(idsOf(await tokenizer.encode(['\ud800', 'a\udc00b', '\u0000', '']))).toEqual([
    [101, 102],
    [101, 11113, 102],
    [101, 102],
    [101, 102],
  ]);
});

test('truncation and padding baked into tokenizer.json are switched off', async () => {
  const folder = folderWith(
    wordLevel({
      truncation: { direction: 'Right', max_length: 2, strategy: 'LongestFirst', stride: 0 },
      padding: {
        strategy: { Fixed: 9 },
        direction: 'Right',
        pad_to_multiple_of: null,
        pad_id: 0,
        pad_type_id: 0,
        pad_token: 'unk',
      },
    }),
  );
  const tokenizer = await createTokenizer(folder, { vocabularySize: 5, maxPositions: 8 });
  expect(idsOf(await tokenizer.encode(['a b a b']))).toEqual([[1, 2, 1, 2]]);
});

test.each([
  ['lowercases when the model asks for it, but not special tokens', { do_lower_case: true }, [1, 4]],
  ['leaves the case alone otherwise', { do_lower_case: false }, [3, 4]],
])('%s', async (_name, sentenceBertConfig, expected) => {
  const special = {
    content: '[X]',
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  };
  const folder = { ...folderWith(wordLevel({ added_tokens: [{ id: 4, ...special }] })), sentenceBertConfig };
  const tokenizer = await createTokenizer(folder, { vocabularySize: 5, maxPositions: 8 });
  expect(idsOf(await tokenizer.encode(['A [X]']))).toEqual([expected]);
});

describe('refusals', () => {
  test('an id outside the vocabulary of the model is refused, not handed on', async () => {
    const tokenizer = await createTokenizer(folderWith(wordLevel()), { vocabularySize: 2, maxPositions: 8 });
    await expect(tokenizer.encode(['a', 'a b'])).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('Token id 2 at position 1'),
    });
    await expect(tokenizer.encodePairs('a', ['b'])).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test.each([
    [
      'a folder without tokenizer.json',
      () => ({ ...folderAt(BGE), files: ['config.json'] }),
      LIMITS,
      'a folder without any vocabulary',
    ],
    ['a damaged tokenizer.json', () => folderWith('{"version": "1.0", '), LIMITS, 'tokenizer.json'],
    ['a tokenizer.json that is something else', () => folderWith('{"hello": 1}'), LIMITS, 'tokenizer.json'],
    [
      'a tokenizer that turns every text into nothing',
      () => folderWith({ version: '1.0', model: { type: 'BPE', vocab: {}, merges: [] } }),
      LIMITS,
      'into ids, got none at all',
    ],
    [
      'a limit without room for text',
      () => folderAt(BGE),
      { vocabularySize: 30_522, maxPositions: 3 },
      'at least 4 tokens',
    ],
    [
      'special tokens outside the vocabulary',
      () => folderAt(BGE),
      { vocabularySize: 100, maxPositions: 512 },
      'id 101',
    ],
  ])('%s is refused with the reason', async (_name, makeFolder, limits, message) => {
    await expect(createTokenizer(makeFolder(), limits)).rejects.toMatchObject({
      name: 'ServiceError',
      code: 'invalid_model_folder',
      message: expect.stringContaining(message),
    });
  });
});
