import { seededRandom } from './seeded-random.mjs';
import { text } from './texts.mjs';
import { mixedWordCount } from './word-counts.mjs';

/** [CLS] and [SEP]; a pair has one [SEP] more. */
const SPECIAL_TOKENS = { embed: 2, rerank: 3 };
const QUERY_WORDS = 6;

/**
 * What the clients of a cell send.
 *
 * @typedef {object} Cell
 * @property {'embed' | 'rerank'} task
 * @property {number | 'mixed'} length tokens of each text, or of each pair of query and document
 * @property {number} items texts, or documents, in a request
 * @property {number} clients that send one request after the other
 */

/**
 * One request: its texts, or its query and documents (`texts`), and how many tokens enter the model.
 *
 * @typedef {object} Request
 * @property {'embed' | 'rerank'} task
 * @property {string | undefined} query
 * @property {readonly string[]} texts
 * @property {number} tokens
 */

/**
 * @param {Pick<Cell, 'task' | 'length' | 'items'>} cell
 * @param {{ count: number, seed: number }} options
 * @returns {readonly Request[]} the same for the same seed; no two texts are equal, but for very short ones by chance
 */
export function workload({ task, length, items }, { count, seed }) {
  const random = seededRandom(seed);
  const special = SPECIAL_TOKENS[task];
  const queryWords = task === 'embed' ? 0 : fittingQueryWords(length);
  return Array.from({ length: count }, () => {
    const words = Array.from({ length: items }, () =>
      length === 'mixed' ? mixedWordCount(random) : length - special - queryWords,
    );
    return {
      task,
      query: task === 'rerank' ? text(queryWords, random) : undefined,
      texts: words.map((number) => text(number, random)),
      tokens: words.reduce((sum, number) => sum + number + queryWords + special, 0),
    };
  });
}

/**
 * In very short pairs the document keeps the larger half.
 *
 * @param {number | 'mixed'} length
 */
function fittingQueryWords(length) {
  return length === 'mixed' ? QUERY_WORDS : Math.min(QUERY_WORDS, Math.floor((length - SPECIAL_TOKENS.rerank) / 2));
}
