import { nameOf } from './cells.mjs';
import { closedLoop } from './drive/closed-loop.mjs';
import { workload } from './load/workload.mjs';
import { median, noise, percentile } from './measure/percentile.mjs';
import { checkReply } from './servers/client-of.mjs';

/** @typedef {import('./load/workload.mjs').Cell} Cell */
/** @typedef {import('./load/workload.mjs').Request} Request */

/**
 * @typedef {object} Server
 * @property {string} name
 * @property {{ prepare(request: Request): () => Promise<Buffer> }} client
 */

/**
 * What one server did in a cell: medians of its rounds, latencies of all of them together.
 *
 * @typedef {object} Measured
 * @property {string} server
 * @property {number} requestsPerSecond
 * @property {number} tokensPerSecond
 * @property {number} p50Ms
 * @property {number} p95Ms
 * @property {number} p99Ms
 * @property {number} noise of the throughput between rounds, as a share of the median
 */

/**
 * @typedef {object} CellResult
 * @property {Cell} cell
 * @property {string} [leftOut] why nothing was measured
 * @property {number} [limitTokensPerSecond] of the bare runs of the same ids
 * @property {readonly Measured[]} servers
 */

/** So many requests are made for each client before the first ones come again. */
const REQUESTS_A_CLIENT = 2;
const LEAST_REQUESTS = 64;

/**
 * Lets the servers (and the bare runs) take turns, so that a slow spell of the machine meets all of them.
 *
 * @param {Cell} cell
 * @param {object} options
 * @param {readonly Server[]} options.servers
 * @param {{ prepare(requests: readonly Request[]): Promise<() => Promise<{ tokens: number, seconds: number }>> }} [options.bareRuns]
 * @param {number} options.seconds
 * @param {number} options.rounds
 * @param {number} options.longestSeconds
 * @param {number} options.seed
 * @returns {Promise<CellResult>}
 */
export async function measureCell(cell, { servers, bareRuns, seconds, rounds, longestSeconds, seed }) {
  const count = Math.max(LEAST_REQUESTS, REQUESTS_A_CLIENT * cell.clients);
  const requests = workload(cell, { count, seed });
  const prepared = servers.map(({ name, client }) => ({ name, calls: requests.map((one) => client.prepare(one)) }));

  for (const { name, calls } of prepared) {
    const alone = await warmUp(name, requests, calls);
    const expected = (alone * cell.clients) / 1000;
    if (expected > longestSeconds) {
      const leftOut = `${nameOf(cell)}: the first replies of ${name} would take about ${expected.toFixed(0)} s (--longest ${longestSeconds})`;
      return { cell, leftOut, servers: [] };
    }
  }

  const pass = await bareRuns?.prepare(requests);
  /** @type {number[]} */
  const limits = [];
  const measured = prepared.map(({ name, calls }) => ({
    name,
    calls,
    rounds: /** @type {import('./drive/closed-loop.mjs').Round[]} */ ([]),
  }));
  for (let round = 0; round < rounds; round += 1) {
    if (pass !== undefined) {
      const { tokens, seconds: taken } = await pass();
      limits.push(tokens / taken);
    }
    for (const { calls, rounds: done } of measured) {
      // Every round begins elsewhere in the load, at the same place for each server.
      const at = (/** @type {number} */ index) => (index + Math.floor((round * count) / rounds)) % count;
      done.push(
        await closedLoop({
          send: async (index) => void (await calls[at(index)]?.()),
          tokensOf: (index) => requests[at(index)]?.tokens ?? 0,
          clients: cell.clients,
          seconds,
        }),
      );
    }
  }
  return {
    cell,
    ...(limits.length > 0 ? { limitTokensPerSecond: median(limits) } : {}),
    servers: measured.map(({ name, rounds: done }) => summaryOf(name, done)),
  };
}

/**
 * The first requests meet cold caches; they are checked instead of measured.
 *
 * @param {string} name
 * @param {readonly Request[]} requests
 * @param {readonly (() => Promise<Buffer>)[]} calls
 * @returns how long a request alone takes, in milliseconds
 */
async function warmUp(name, requests, calls) {
  let shortest = Number.POSITIVE_INFINITY;
  for (const index of [0, 1]) {
    const request = requests[index];
    const call = calls[index];
    if (request === undefined || call === undefined) break;
    const from = performance.now();
    const reply = await call();
    shortest = Math.min(shortest, performance.now() - from);
    try {
      checkReply(request, reply);
    } catch (error) {
      throw new Error(`${name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return shortest;
}

/**
 * @param {string} server
 * @param {readonly import('./drive/closed-loop.mjs').Round[]} rounds
 * @returns {Measured}
 */
function summaryOf(server, rounds) {
  const latencies = rounds.flatMap(({ latenciesMs }) => latenciesMs);
  const rates = rounds.map(({ tokens, seconds }) => tokens / seconds);
  return {
    server,
    requestsPerSecond: median(rounds.map(({ requests, seconds }) => requests / seconds)),
    tokensPerSecond: median(rates),
    p50Ms: percentile(latencies, 0.5),
    p95Ms: percentile(latencies, 0.95),
    p99Ms: percentile(latencies, 0.99),
    noise: noise(rates),
  };
}
