import type { Tokenizer as NativeTokenizer } from 'tokenizers';
import { countTokens, type EncodedText, encodeTexts, type TextLimits } from './encode-texts.ts';
import { type PairLimits, type PairText, truncatePair } from './truncate.ts';

/**
 * The ids of the query and of each document, truncated together; the query is encoded once. `finish` makes each
 * document's result from both.
 */
export async function encodePairs<T>(
  native: NativeTokenizer,
  query: string,
  documents: readonly string[],
  limits: PairLimits & Pick<TextLimits, 'splitsWords'>,
  finish: (texts: readonly [Int32Array, Int32Array]) => T,
): Promise<readonly T[]> {
  const textLimits = { keep: limits.limit, side: limits.side, splitsWords: limits.splitsWords };
  const [encodedQuery] = await encodeTexts(native, [query], textLimits, (encoded) => encoded);
  if (encodedQuery === undefined) return [];
  const outcomes = await encodeTexts(native, documents, textLimits, (encoded) => {
    const pair = comparable(encodedQuery, encoded, limits);
    return pair === undefined ? { encoded } : { result: finish(truncatePair(...pair, limits)) };
  });
  const results: T[] = [];
  let first: PairText | undefined;
  for (const [index, outcome] of outcomes.entries()) {
    if ('result' in outcome) {
      results.push(outcome.result);
      continue;
    }
    first ??= await withLength(native, query, encodedQuery);
    const second = await withLength(native, documents[index] ?? '', outcome.encoded);
    results.push(finish(truncatePair(first, second, limits)));
  }
  return results;
}

/**
 * Both texts with lengths that tell which is the longer one; `undefined` when that is not known and matters: when both
 * exceed the limit, one of them was cut before it was encoded, and there is an odd id to give away.
 */
export function comparable(
  first: EncodedText,
  second: EncodedText,
  { limit, addedTokens }: Pick<PairLimits, 'limit' | 'addedTokens'>,
): readonly [PairText, PairText] | undefined {
  const a = first.length ?? limit + 1;
  const b = second.length ?? limit + 1;
  const isUnknown = first.length === undefined || second.length === undefined;
  if (isUnknown && Math.min(a, b) > limit && (limit - addedTokens) % 2 === 1) return undefined;
  return [
    { ids: first.ids, length: a },
    { ids: second.ids, length: b },
  ];
}

async function withLength(native: NativeTokenizer, text: string, { ids, length }: EncodedText): Promise<PairText> {
  return { ids, length: length ?? (await countTokens(native, text)) };
}
