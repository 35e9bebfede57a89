import type { RequestObserver } from '../contracts/finished-request.ts';
import type { Logger } from '../contracts/logger.ts';

/** One debug line per request, by its route's pattern: never its URL, its body or its headers. */
export function logRequest(logger: Logger): RequestObserver {
  return ({ id, method, route, status, startMs, endMs }) => {
    const ms = Math.round((endMs - startMs) * 10) / 10;
    logger.debug('request', { requestId: id, method, route, status, ms });
  };
}
