/**
 * What one round of a cell gave.
 *
 * @typedef {object} Round
 * @property {number} requests
 * @property {number} tokens
 * @property {number} seconds from the first request to the last reply
 * @property {readonly number[]} latenciesMs one for each request
 */

/**
 * Clients that send one request after the other, for so many seconds; what is then in flight is finished and counts.
 *
 * @param {object} options
 * @param {(index: number) => Promise<void>} options.send sends the request of this number
 * @param {(index: number) => number} options.tokensOf the tokens in it
 * @param {number} options.clients
 * @param {number} options.seconds
 * @param {() => number} [options.now] in milliseconds
 * @returns {Promise<Round>}
 */
export async function closedLoop({ send, tokensOf, clients, seconds, now = () => performance.now() }) {
  /** @type {number[]} */
  const latenciesMs = [];
  let next = 0;
  let tokens = 0;
  const from = now();
  let last = from;

  async function client() {
    do {
      const index = next;
      next += 1;
      const sent = now();
      await send(index);
      last = now();
      latenciesMs.push(last - sent);
      tokens += tokensOf(index);
    } while (last - from < seconds * 1000);
  }

  await Promise.all(Array.from({ length: clients }, client));
  return { requests: latenciesMs.length, tokens, seconds: (last - from) / 1000, latenciesMs };
}
