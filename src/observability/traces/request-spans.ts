import type { FinishedRequest } from '../../contracts/finished-request.ts';
import type { Period } from '../../contracts/request-work.ts';

/** A part of a request, or all of it. */
export interface RequestSpan extends Period {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
}

export interface RequestSpans {
  /** The whole request. */
  readonly root: RequestSpan;
  /** Whether the server is to blame: refusals of what a client sent are no errors of a span. */
  readonly failed: boolean;
  /** In their order; a request that was refused early has none. */
  readonly stages: readonly RequestSpan[];
}

const STAGES = ['tokenize', 'wait', 'run'] as const;

/**
 * The spans of a request, or nothing for those that only look (probes, scrapes). Names and attributes are OpenTelemetry's
 * semantic conventions for HTTP servers and generative AI, where those have them. Numbers, routes and served names only.
 */
export function requestSpans(request: FinishedRequest): RequestSpans | undefined {
  const { method, route, status, error, work, startMs, endMs } = request;
  if (method === 'GET' || method === 'HEAD') return undefined;
  const model = { 'gen_ai.request.model': work.model };
  return {
    root: {
      name: route === undefined ? method : `${method} ${route}`,
      startMs,
      endMs,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'http.response.status_code': status,
        'error.type': error,
        ...model,
        'gen_ai.usage.input_tokens': work.tokens,
        'infinity.items': work.items,
        'infinity.cached_items': work.cachedItems,
        'infinity.request_id': request.id,
      },
    },
    failed: status >= 500,
    stages: STAGES.flatMap((name) => {
      const period = work[name];
      return period === undefined ? [] : [{ name, ...period, attributes: model }];
    }),
  };
}
