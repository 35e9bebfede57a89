import { ServiceError } from '../contracts/errors.ts';

/** Seconds, with fractions, that a client gives the server for its request. */
export const TIMEOUT_HEADER = 'x-request-timeout';

/** What Node's timers can count: 24 days. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * A request's time limit in ms: the client's or the server's, whichever is shorter; `undefined` where neither sets one.
 * Throws `invalid_request` when the header is not a number of seconds.
 */
export function timeLimitMs(header: string | string[] | undefined, serverLimitS: number): number | undefined {
  const limitsS = serverLimitS > 0 ? [serverLimitS] : [];
  if (header !== undefined) limitsS.push(readSeconds(String(header)));
  if (limitsS.length === 0) return undefined;
  return Math.min(LONGEST_MS, Math.max(1, Math.round(1000 * Math.min(...limitsS))));
}

function readSeconds(header: string): number {
  const seconds = /^\s*\d+(\.\d+)?\s*$/.test(header) ? Number(header) : Number.NaN;
  if (seconds > 0) return seconds;
  const message = `${TIMEOUT_HEADER}: expected a number of seconds above 0, got '${header.slice(0, 40)}'`;
  throw new ServiceError('invalid_request', message, { param: TIMEOUT_HEADER });
}
