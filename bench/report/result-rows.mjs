import { nameOf } from '../cells.mjs';

/** @typedef {import('../measure-cell.mjs').CellResult} CellResult */

export const HEAD = ['load', 'server', 'requests/s', 'tokens/s', 'p50 ms', 'p95 ms', 'p99 ms', 'noise', 'of the limit'];
/** Only where a peer stands beside ours. */
export const PEER_HEAD = ['throughput', 'p50'];
/** Columns of words. */
export const LEFT_COLUMNS = 2;

/**
 * A row for each server of a cell. With a peer, the row of ours says how it compares: times its throughput, share of its p50.
 *
 * @param {CellResult} result
 * @returns {readonly (readonly string[])[]}
 */
export function rowsOf({ cell, limitTokensPerSecond, servers }) {
  const [own, peer] = servers;
  return servers.map((measured) => [
    measured === own ? nameOf(cell) : '',
    measured.server,
    short(measured.requestsPerSecond),
    short(measured.tokensPerSecond),
    short(measured.p50Ms),
    short(measured.p95Ms),
    short(measured.p99Ms),
    `${(100 * measured.noise).toFixed(0)} %`,
    limitTokensPerSecond === undefined ? '' : (measured.tokensPerSecond / limitTokensPerSecond).toFixed(2),
    ...(peer === undefined || own === undefined
      ? []
      : measured === own
        ? [
            `${(own.tokensPerSecond / peer.tokensPerSecond).toFixed(2)} x`,
            `${(own.p50Ms / peer.p50Ms).toFixed(2)} of it`,
          ]
        : ['', '']),
  ]);
}

/**
 * Three digits, or all of a larger number.
 *
 * @param {number} value
 */
export function short(value) {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
