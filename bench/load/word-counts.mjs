// How long the texts of a load are, in words. Each word is one token of BERT's vocabulary (./texts.mjs).

const MIXED_MEDIAN_WORDS = 40;
/** One text in a thousand would be longer than ten times the median. */
const MIXED_SIGMA = 0.745;
const MIXED_MOST_WORDS = 400;

/**
 * The mixed load: a log-normal of lengths with median 40 and a tail to 400.
 *
 * @param {() => number} random
 */
export function mixedWordCount(random) {
  // Box-Muller: a normal deviate of two uniform ones.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const words = Math.round(MIXED_MEDIAN_WORDS * Math.exp(MIXED_SIGMA * normal));
  return Math.min(MIXED_MOST_WORDS, Math.max(1, words));
}
