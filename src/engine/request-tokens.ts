import type { Encoding } from '../contracts/tokenizer.ts';

/** Ids that entered the model for all items of a request; an item that stands in it twice counts twice. */
export function requestTokens(encodings: readonly Encoding[], places: readonly number[]): number {
  return places.reduce((sum, place) => sum + (encodings[place]?.ids.length ?? 0), 0);
}
