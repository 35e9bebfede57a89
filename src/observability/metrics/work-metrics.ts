import type { Registry } from 'prom-client';
import type { RequestObserver } from '../../contracts/finished-request.ts';
import type { Period } from '../../contracts/request-work.ts';
import { counter, histogram, openCounter, openHistogram } from './metric-definition.ts';

export const WORK_METRICS = {
  items: counter(
    'infinity_request_items_total',
    'Texts and pairs to embed, rank or classify; equal ones count each time.',
    ['model'],
  ),
  tokens: counter(
    'infinity_request_tokens_total',
    'Their tokens, special ones included, after truncation; those of known vectors count, too.',
    ['model'],
  ),
  stages: histogram(
    'infinity_request_stage_seconds',
    'Where a request spent its time: `tokenize`, `wait` (in the queue until its first item was in a run), `run` (until its last item was out of one). A request whose vectors were all known has neither of the last two.',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    ['model', 'stage'],
  ),
};

export function openWorkMetrics(registry: Registry): RequestObserver {
  const items = openCounter(registry, WORK_METRICS.items);
  const tokens = openCounter(registry, WORK_METRICS.tokens);
  const stages = openHistogram(registry, WORK_METRICS.stages);

  return ({ work }) => {
    const { model } = work;
    if (model === undefined) return;
    if (work.items !== undefined) items.inc({ model }, work.items);
    if (work.tokens !== undefined) tokens.inc({ model }, work.tokens);
    const observe = (stage: string, period: Period | undefined) => {
      if (period !== undefined) stages.observe({ model, stage }, (period.endMs - period.startMs) / 1000);
    };
    observe('tokenize', work.tokenize);
    observe('wait', work.wait);
    observe('run', work.run);
  };
}
