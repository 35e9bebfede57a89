import type { RequestObserver } from '../contracts/finished-request.ts';
import type { Logger } from '../contracts/logger.ts';
import type { Period } from '../contracts/request-work.ts';

/**
 * One line per request, by its route's pattern: never its URL, its body or its headers. Those that only look (probes, scrapes,
 * the docs) are for debugging, since they come every few seconds and say nothing new.
 */
export function logRequest(logger: Logger): RequestObserver {
  return ({ id, method, route, key, status, error, work, ...period }) => {
    logger[method === 'GET' ? 'debug' : 'info']('request', {
      requestId: id,
      method,
      route,
      key,
      status,
      error,
      model: work.model,
      items: work.items,
      tokens: work.tokens,
      cachedItems: work.cachedItems,
      tokenizeMs: milliseconds(work.tokenize),
      queueMs: milliseconds(work.wait),
      runMs: milliseconds(work.run),
      ms: milliseconds(period),
    });
  };
}

/** To a tenth: what a line is read for, and no more digits than the clock is good for. */
function milliseconds(period: Period | undefined): number | undefined {
  return period === undefined ? undefined : Math.round((period.endMs - period.startMs) * 10) / 10;
}
