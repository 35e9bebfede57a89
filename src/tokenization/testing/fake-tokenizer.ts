import type { Encoding, Tokenizer } from '../../contracts/tokenizer.ts';

/** One token for each character, whose code is the id. */
export function characterEncoding(text: string): Encoding {
  const ids = Int32Array.from(text, (character) => character.charCodeAt(0));
  return { ids, typeIds: new Int32Array(ids.length) };
}

/** A tokenizer of characters without special tokens that cuts nothing, unless a test tells it otherwise. */
export function fakeTokenizer(told: Partial<Tokenizer> = {}): Tokenizer {
  return {
    maxSequenceLength: 512,
    encode: async (texts) => texts.map(characterEncoding),
    encodePairs: async (query, documents) => documents.map((document) => characterEncoding(`${query}|${document}`)),
    encodeIds: async (rows) => rows.map((ids) => ({ ids, typeIds: new Int32Array(ids.length) })),
    tokenize: async (texts) =>
      texts.map((text) =>
        [...text].map((character, index) => ({
          id: character.charCodeAt(0),
          text: character,
          special: false,
          start: index,
          stop: index + 1,
        })),
      ),
    decode: async (rows) => rows.map((ids) => String.fromCharCode(...ids)),
    tokenTexts: async (ids) => Array.from(ids, (id) => String.fromCharCode(id)),
    ...told,
  };
}
