import type { Demand } from '../contracts/scheduler.ts';

/** English has 4 to 5; a guess that is only used until the tokens are counted. */
const CHARACTERS_PER_TOKEN = 4;
/** Special tokens of a text. */
const ADDED_TOKENS = 2;

/** A text, a pair of texts, or ids. */
export type Sized = string | readonly string[] | readonly number[];

/** What a request will bring to the queue, from the sizes of its items; each may have `besides` beside it. */
export function estimateDemand(items: readonly Sized[], maxSequenceLength: number, besides = ''): Demand {
  let tokens = 0;
  for (const item of items) tokens += Math.min(maxSequenceLength, tokensOf(item, besides.length));
  return { items: items.length, tokens };
}

function tokensOf(item: Sized, besides: number): number {
  let characters = besides;
  for (const part of typeof item === 'string' ? [item] : item) {
    // Ids are what enters the model.
    if (typeof part === 'number') return item.length;
    characters += part.length;
  }
  return ADDED_TOKENS + Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
