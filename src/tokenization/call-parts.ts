import type { EncodeOptions } from '../contracts/tokenizer.ts';
import { type ChunkLimits, chunkTexts } from './chunk-texts.ts';

/** The arguments of the methods of `Tokenizer`. */
export type TokenizerCall =
  | { readonly kind: 'encode'; readonly texts: readonly string[]; readonly options: EncodeOptions }
  | {
      readonly kind: 'encodePairs';
      readonly query: string;
      readonly documents: readonly string[];
      readonly options: EncodeOptions;
    }
  | { readonly kind: 'encodeIds'; readonly ids: readonly Int32Array[]; readonly options: EncodeOptions }
  | { readonly kind: 'tokenize'; readonly texts: readonly string[]; readonly addSpecialTokens: boolean }
  | { readonly kind: 'decode'; readonly ids: readonly Int32Array[]; readonly skipSpecialTokens: boolean }
  | { readonly kind: 'tokenTexts'; readonly ids: Int32Array };

/** A piece of a call. Its texts are those of the call, or the query and the documents. */
export interface CallPart {
  /** The call without its texts. */
  readonly call: TokenizerCall;
  readonly texts: readonly string[];
  /** Whether the first text goes on where the last text of the part before stopped. */
  readonly continues: boolean;
  readonly isLast: boolean;
}

/**
 * Handing texts to another thread copies them, which blocks both: 64 MB in one message took over 100 ms. Parts bound
 * that; nearly every call is one part.
 */
const PART: ChunkLimits = { maxCharacters: 250_000, maxTexts: 10_000 };

/** The parts of a call, in order; at least one. */
export function splitCall(whole: TokenizerCall, limits: ChunkLimits = PART): readonly CallPart[] {
  const call = withTexts(whole, []);
  const chunks = chunkTexts(
    textsOf(whole).flatMap((text) => cutIntoPieces(text, limits.maxCharacters)),
    limits,
  );
  if (chunks.length === 0) return [{ call, texts: [], continues: false, isLast: true }];
  return chunks.map((pieces, index) => ({
    call,
    texts: pieces.map(({ text }) => text),
    // Whatever comes before the rest of a text fills a part of its own.
    continues: pieces[0]?.continues ?? false,
    isLast: index === chunks.length - 1,
  }));
}

/** Puts the parts of calls together again; the parts of different calls may come in turns. */
export class CallJoiner {
  readonly #unfinished = new Map<number, string[]>();

  /** The call, once its last part is there. */
  add(id: number, { call, texts, continues, isLast }: CallPart): TokenizerCall | undefined {
    const joined = this.#unfinished.get(id) ?? [];
    const [first = '', ...others] = texts;
    if (continues) joined.push((joined.pop() ?? '') + first, ...others);
    else joined.push(...texts);
    if (!isLast) {
      this.#unfinished.set(id, joined);
      return undefined;
    }
    this.#unfinished.delete(id);
    return withTexts(call, joined);
  }
}

function textsOf(call: TokenizerCall): readonly string[] {
  if (call.kind === 'encodePairs') return [call.query, ...call.documents];
  return 'texts' in call ? call.texts : [];
}

function withTexts(call: TokenizerCall, texts: readonly string[]): TokenizerCall {
  if (call.kind === 'encodePairs') {
    const [query = '', ...documents] = texts;
    return { ...call, query, documents };
  }
  return 'texts' in call ? { ...call, texts } : call;
}

function cutIntoPieces(text: string, characters: number): { readonly text: string; readonly continues: boolean }[] {
  const pieces = [{ text: text.slice(0, characters), continues: false }];
  for (let start = characters; start < text.length; start += characters) {
    pieces.push({ text: text.slice(start, start + characters), continues: true });
  }
  return pieces;
}
