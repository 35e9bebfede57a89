import { expect, test } from 'vitest';
import type { PairPrompt } from '../contracts/pair-prompt.ts';
import { openPromptedPairs, type PlainEncoder } from './encode-prompted-pairs.ts';

/** One id for each character. */
function characterEncoder(): PlainEncoder & { readonly encoded: string[] } {
  const encoded: string[] = [];
  return {
    encoded,
    async encode(texts, keep) {
      encoded.push(...texts);
      return texts.map((text) => Int32Array.from([...text].slice(0, keep), (character) => character.charCodeAt(0)));
    },
  };
}

const textOf = (ids: Int32Array) => String.fromCharCode(...ids);

const ONE_PIECE: PairPrompt = { prefix: '<', pieces: [{ template: 'q:{query} d:{document}' }], suffix: '>' };
const APART: PairPrompt = {
  prefix: '<',
  pieces: [{ template: 'q{query}', maxShare: 0.5 }, { template: '|' }, { template: 'd{document}' }],
  suffix: '>!',
};

async function encode(prompt: PairPrompt, limit: number, query: string, documents: readonly string[]) {
  const encoder = characterEncoder();
  const pairs = await openPromptedPairs(prompt, encoder, limit);
  const encodings = await pairs.encodePairs(query, documents);
  return { texts: encodings.map(({ ids }) => textOf(ids)), encodings, encoded: encoder.encoded };
}

test('the prompt is put around each pair', async () => {
  const { texts, encodings } = await encode(ONE_PIECE, 40, 'cats', ['a', '']);
  expect(texts).toEqual(['<q:cats d:a>', '<q:cats d:>']);
  expect(encodings.map(({ typeIds }) => [...typeIds])).toEqual([new Array(12).fill(0), new Array(11).fill(0)]);
});

test('only the body is cut, at its end', async () => {
  expect((await encode(ONE_PIECE, 10, 'cats', ['a', 'bcd'])).texts).toEqual(['<q:cats d>', '<q:cats d>']);
  expect((await encode(ONE_PIECE, 13, 'cats', ['a', 'bcd'])).texts).toEqual(['<q:cats d:a>', '<q:cats d:bc>']);
});

test('a piece takes no more than its share, and the next ones take what is left', async () => {
  expect((await encode(APART, 13, 'query', ['document'])).texts).toEqual(['<qquer|ddoc>!']);
});

test('what does not depend on the document is encoded once', async () => {
  const { encoded, texts } = await encode(APART, 40, 'x', ['1', '2', '3']);
  expect(texts).toEqual(['<qx|d1>!', '<qx|d2>!', '<qx|d3>!']);
  expect(encoded).toEqual(['<', '>!', 'qx', '|', 'd1', 'd2', 'd3']);
});

test('braces in a text are text', async () => {
  expect((await encode(ONE_PIECE, 80, '{document}', ['{query} $&'])).texts).toEqual(['<q:{document} d:{query} $&>']);
});

test('a limit without room for a body is refused', async () => {
  await expect(openPromptedPairs(APART, characterEncoder(), 3)).rejects.toThrow(
    expect.objectContaining({
      code: 'invalid_model_folder',
      message: expect.stringContaining('at least 4 tokens (3 of the prompt and one of text), got 3'),
    }),
  );
});
