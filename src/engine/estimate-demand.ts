import type { Demand } from '../contracts/scheduler.ts';

/** English has 4 to 5; a guess that is only used until the tokens are counted. */
const CHARACTERS_PER_TOKEN = 4;
/** Special tokens of a text. */
const ADDED_TOKENS = 2;

/** What a request will bring to the queue, from the sizes of its texts; each may have `besides` beside it. */
export function estimateDemand(texts: readonly string[], maxSequenceLength: number, besides = ''): Demand {
  let tokens = 0;
  for (const text of texts) {
    const own = ADDED_TOKENS + Math.ceil((text.length + besides.length) / CHARACTERS_PER_TOKEN);
    tokens += Math.min(maxSequenceLength, own);
  }
  return { items: texts.length, tokens };
}
