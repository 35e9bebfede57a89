import type { Registry } from 'prom-client';
import type { RequestObserver } from '../../contracts/finished-request.ts';
import { counter, openCounter } from './metric-definition.ts';

/** A key file has at most half as many. Guards memory: names may change with each reading of it, and a series stays. */
const MAX_KEYS = 2000;
const OTHERS = 'others';

/** By the names of API keys, which operators choose; of servers with keys only. */
export const KEY_METRICS = {
  requests: counter(
    'infinity_key_requests_total',
    'Requests with an API key, by its name (`others` beyond 2000 names) and the class of their status.',
    ['key', 'status'],
  ),
  tokens: counter('infinity_key_tokens_total', 'Tokens of requests with an API key.', ['key']),
};

export function openKeyMetrics(registry: Registry): RequestObserver {
  const requests = openCounter(registry, KEY_METRICS.requests);
  const tokens = openCounter(registry, KEY_METRICS.tokens);
  const known = new Set<string>();

  return ({ key: name, status, work }) => {
    if (name === undefined) return;
    if (known.size < MAX_KEYS) known.add(name);
    const key = known.has(name) ? name : OTHERS;
    requests.inc({ key, status: `${Math.floor(status / 100)}xx` });
    tokens.inc({ key }, work.tokens ?? 0);
  };
}
