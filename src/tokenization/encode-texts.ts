import type { Encoding as NativeEncoding, Tokenizer as NativeTokenizer } from 'tokenizers';
import { chunkTexts } from './chunk-texts.ts';
import { cutText } from './cut-text.ts';
import { type TruncationSide, truncateIds } from './truncate.ts';

/**
 * Encoding runs on native threads, but every id is handed over on the worker's own thread (about 0.25 us each), where other
 * requests wait for that. A chunk bounds it: at worst one token for each character, 3-4 ms. Smaller chunks leave the
 * native threads without work.
 */
const CHUNK = { maxCharacters: 16_384, maxTexts: 256 };

/**
 * A text is first cut to this many characters for each token that may be kept: English has 4-6, so one try is the rule;
 * a text that needs more is tried again with `CUT_GROWTH` times as many.
 */
const CUT_CHARACTERS_PER_TOKEN = 8;
const CUT_GROWTH = 4;

/**
 * Words between the last kept token and the cut. What follows a cut can change only the words that a normalizer, a
 * split or an added token could reach across it; the longest added tokens known have about 30 characters.
 */
const WORDS_BEFORE_CUT = 64;

const WITHOUT_SPECIAL_TOKENS = { addSpecialTokens: false };

export interface TextLimits {
  /** Ids to keep of each text; special tokens are not among them. */
  readonly keep: number;
  readonly side: TruncationSide;
  /** Whether the tokenizer splits a text into words that are encoded independently of each other. */
  readonly splitsWords: boolean;
}

export interface EncodedText {
  /** Without special tokens, truncated to `keep`. */
  readonly ids: Int32Array;
  /** Ids of the whole text; `undefined` where only its beginning was encoded and it is only known to exceed `keep`. */
  readonly length: number | undefined;
}

interface Piece {
  /** Position of the text in the request. */
  readonly index: number;
  /** The text, or its beginning. */
  readonly text: string;
}

/**
 * The ids of each text without special tokens, truncated to `keep`. They are those of the whole text even where only
 * its beginning was encoded (9 MB take 7 s): a cut that is too close to the last kept id is tried again further on.
 * `finish` makes each text's result, chunk by chunk, so that the event loop turns in between.
 */
export async function encodeTexts<T>(
  native: NativeTokenizer,
  texts: readonly string[],
  limits: TextLimits,
  finish: (encoded: EncodedText) => T,
): Promise<readonly T[]> {
  const results: T[] = [];
  const mayCut = limits.side === 'right' && limits.splitsWords;
  const firstCut = mayCut ? Math.max(1, limits.keep) * CUT_CHARACTERS_PER_TOKEN : Number.POSITIVE_INFINITY;
  let waiting: readonly Piece[] = texts.map((text, index) => ({ index, text: cutText(text, firstCut) }));
  while (waiting.length > 0) {
    const tooShort: Piece[] = [];
    for (const chunk of chunkTexts(waiting, CHUNK)) {
      const encodings = await encodeChunk(native, chunk);
      for (const [position, { index, text }] of chunk.entries()) {
        const encoding = encodings[position];
        const whole = texts[index];
        if (encoding === undefined || whole === undefined) continue;
        if (text.length < whole.length && !isSettled(encoding, limits.keep)) {
          tooShort.push({ index, text: cutText(whole, text.length * CUT_GROWTH) });
        } else {
          results[index] = finish({
            ids: truncateIds(Int32Array.from(encoding.getIds()), limits.keep, limits.side),
            length: text.length < whole.length ? undefined : encoding.getLength(),
          });
        }
      }
    }
    waiting = tooShort;
  }
  return results;
}

/** How many ids a text has, without special tokens. Encodes all of it, however long it is. */
export async function countTokens(native: NativeTokenizer, text: string): Promise<number> {
  return (await native.encode(text, null, WITHOUT_SPECIAL_TOKENS)).getLength();
}

/** Whether the first `keep` ids of a cut text are certainly those of the whole text. */
function isSettled(encoding: NativeEncoding, keep: number): boolean {
  if (keep === 0) return true;
  const count = encoding.getLength();
  if (count <= keep) return false;
  const lastKeptWord = encoding.tokenToWord(keep - 1);
  const lastWord = encoding.tokenToWord(count - 1);
  return lastKeptWord !== null && lastWord !== null && lastKeptWord + WORDS_BEFORE_CUT <= lastWord;
}

async function encodeChunk(native: NativeTokenizer, chunk: readonly Piece[]): Promise<readonly NativeEncoding[]> {
  const [first] = chunk;
  if (chunk.length === 1 && first !== undefined) return [await native.encode(first.text, null, WITHOUT_SPECIAL_TOKENS)];
  return native.encodeBatch(
    chunk.map(({ text }) => text),
    WITHOUT_SPECIAL_TOKENS,
  );
}
