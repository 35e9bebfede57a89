export type TruncationSide = 'left' | 'right';

/** Keeps at most `keep` ids: the first ones, or the last ones when truncating on the left. A view, not a copy. */
export function truncateIds(ids: Int32Array, keep: number, side: TruncationSide): Int32Array {
  if (ids.length <= keep) return ids;
  return side === 'right' ? ids.subarray(0, keep) : ids.subarray(ids.length - keep);
}

export interface PairLimits {
  /** Tokens of the whole sequence, special tokens included. */
  readonly limit: number;
  /** Special tokens that a pair receives. */
  readonly addedTokens: number;
  readonly side: TruncationSide;
}

/** The ids of a text, of which those beyond the limit may be missing, and how many the whole text has. */
export interface PairText {
  readonly ids: Int32Array;
  readonly length: number;
}

/**
 * `longest_first`: only the longer text gives up ids, unless both are longer than half the room; then both keep half,
 * and an odd id goes to the longer one, or to the second when they are equally long.
 */
export function truncatePair(
  first: PairText,
  second: PairText,
  { limit, addedTokens, side }: PairLimits,
): readonly [Int32Array, Int32Array] {
  const room = limit - addedTokens;
  if (first.length + second.length <= room) return [first.ids, second.ids];
  const half = Math.floor(room / 2);
  const keptOfShorter = Math.min(first.length, second.length, half);
  const keptOfLonger = room - keptOfShorter;
  const [keptOfFirst, keptOfSecond] =
    first.length > second.length ? [keptOfLonger, keptOfShorter] : [keptOfShorter, keptOfLonger];
  return [truncateIds(first.ids, keptOfFirst, side), truncateIds(second.ids, keptOfSecond, side)];
}
