import type { Registry } from 'prom-client';
import type { RequestObserver } from '../../contracts/finished-request.ts';
import { counter, histogram, openCounter, openHistogram } from './metric-definition.ts';

const BYTES = [1e3, 1e4, 1e5, 1e6, 1e7, 1e8];

/**
 * Of the original, by its names and with its labels, so that its users' dashboards go on: `handler` is the route's pattern,
 * and `none` where there is no such route; `status` is a class. Those of times have more bounds and labels than it has.
 */
export const HTTP_METRICS = {
  requests: counter('http_requests_total', 'Requests, by the class of their status: 2xx, 4xx, 5xx.', [
    'method',
    'status',
    'handler',
  ]),
  seconds: histogram(
    'http_request_duration_seconds',
    'From the head of a request to the end of its reply.',
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    ['method', 'status', 'handler'],
  ),
  fineSeconds: histogram(
    'http_request_duration_highr_seconds',
    'The same of all routes together, in finer steps.',
    [0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 7.5, 10, 30, 60],
  ),
  requestBytes: histogram('http_request_size_bytes', 'Bodies of requests.', BYTES, ['handler']),
  replyBytes: histogram('http_response_size_bytes', 'Bodies of replies whose length was known at their start.', BYTES, [
    'handler',
  ]),
  errors: counter(
    'infinity_request_errors_total',
    'Requests that were not answered, by the code of the error: `overloaded` (429) was refused by a full queue, `deadline_exceeded` (504) ran out of time, `request_cancelled` (499) has no client any more. `model` is empty where none was chosen.',
    ['handler', 'model', 'status', 'code'],
  ),
};

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function openHttpMetrics(registry: Registry): RequestObserver {
  const requests = openCounter(registry, HTTP_METRICS.requests);
  const seconds = openHistogram(registry, HTTP_METRICS.seconds);
  const fineSeconds = openHistogram(registry, HTTP_METRICS.fineSeconds);
  const requestBytes = openHistogram(registry, HTTP_METRICS.requestBytes);
  const replyBytes = openHistogram(registry, HTTP_METRICS.replyBytes);
  const errors = openCounter(registry, HTTP_METRICS.errors);

  return (request) => {
    const handler = request.route ?? 'none';
    const method = METHODS.has(request.method) ? request.method : 'other';
    const labels = { method, status: `${Math.floor(request.status / 100)}xx`, handler };
    const took = (request.endMs - request.startMs) / 1000;
    requests.inc(labels);
    seconds.observe(labels, took);
    fineSeconds.observe(took);
    if (request.requestBytes !== undefined) requestBytes.observe({ handler }, request.requestBytes);
    if (request.replyBytes !== undefined) replyBytes.observe({ handler }, request.replyBytes);
    if (request.error === undefined) return;
    errors.inc({ handler, model: request.work.model ?? '', status: String(request.status), code: request.error });
  };
}
