import type { Registry } from 'prom-client';
import type { RunReport } from '../../contracts/scheduler.ts';
import { counter, histogram, openCounter, openHistogram } from './metric-definition.ts';

export const RUN_METRICS = {
  items: histogram('infinity_run_items', 'Items of a run.', [1, 2, 4, 8, 16, 32, 64, 128, 256], ['model']),
  tokens: histogram(
    'infinity_run_tokens',
    'Tokens of a run, without padding.',
    [8, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384],
    ['model'],
  ),
  paddingTokens: counter(
    'infinity_run_padding_tokens_total',
    'Tokens that were computed only to fill runs up to their longest item.',
    ['model'],
  ),
  seconds: histogram(
    'infinity_run_seconds',
    'What a lane took for a run.',
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    ['model'],
  ),
  failed: counter('infinity_runs_failed_total', 'Runs that failed, or whose lane was lost.', ['model']),
};

/** Told of every run of a model. */
export type ObserveRun = (model: string, run: RunReport) => void;

export function openRunMetrics(registry: Registry): ObserveRun {
  const items = openHistogram(registry, RUN_METRICS.items);
  const tokens = openHistogram(registry, RUN_METRICS.tokens);
  const paddingTokens = openCounter(registry, RUN_METRICS.paddingTokens);
  const seconds = openHistogram(registry, RUN_METRICS.seconds);
  const failed = openCounter(registry, RUN_METRICS.failed);

  return (model, run) => {
    items.observe({ model }, run.items);
    tokens.observe({ model }, run.tokens);
    paddingTokens.inc({ model }, run.paddingTokens);
    seconds.observe({ model }, run.ms / 1000);
    failed.inc({ model }, run.failed ? 1 : 0);
  };
}
