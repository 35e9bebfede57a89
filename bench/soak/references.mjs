// The texts that a soak sends, and what the server answered for each of them alone, before anybody else was there.
import { seededRandom } from '../load/seeded-random.mjs';
import { text } from '../load/texts.mjs';
import { mixedWordCount } from '../load/word-counts.mjs';
import { sendJson } from './send-json.mjs';

const TEXTS = 160;
const QUERIES = 8;
/** Long enough to be in a run alone, and the longest that a model of 512 positions takes. */
const LONG_WORDS = [450, 510, 700];
/** Float32 on CPU: a vector does not depend on its neighbours, and JSON has all of its digits. */
const MOST_DIFFERENCE = 1e-5;

/** @typedef {Awaited<ReturnType<typeof openReferences>>} References */

/**
 * @param {string} url
 * @param {{ embed: string, rerank: string }} models
 * @param {number} seed
 */
export async function openReferences(url, models, seed) {
  const random = seededRandom(seed);
  const counts = Array.from({ length: TEXTS }, () => mixedWordCount(random));
  const texts = [...counts, ...LONG_WORDS].map((words) => text(words, random));
  const queries = Array.from({ length: QUERIES }, () => text(6, random));

  /** @type {number[][]} */
  const vectors = [];
  for (const input of texts) {
    const { body } = await sendJson(`${url}/v1/embeddings`, { model: models.embed, input });
    vectors.push(body.data[0].embedding);
  }
  /** @type {number[][]} Query -> document -> logit */
  const scores = [];
  for (const query of queries) {
    const { body } = await sendJson(`${url}/rerank`, {
      model: models.rerank,
      query,
      documents: texts,
      raw_scores: true,
    });
    const row = new Array(texts.length).fill(Number.NaN);
    for (const { index, relevance_score: score } of body.results) row[index] = score;
    scores.push(row);
  }
  return { texts, queries, vectors, scores };
}

/**
 * @param {readonly number[] | Float32Array} actual
 * @param {readonly number[] | undefined} expected
 */
export function isSame(actual, expected) {
  if (expected === undefined || actual.length !== expected.length) return false;
  return expected.every((value, index) => Math.abs((actual[index] ?? Number.NaN) - value) <= MOST_DIFFERENCE);
}
