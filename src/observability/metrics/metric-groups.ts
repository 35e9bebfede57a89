import { BUILD_METRICS } from './build-info.ts';
import { HTTP_METRICS } from './http-metrics.ts';
import { KEY_METRICS } from './key-metrics.ts';
import { LANE_METRICS } from './lane-metrics.ts';
import type { MetricDefinition } from './metric-definition.ts';
import { MODEL_METRICS } from './model-metrics.ts';
import { PROCESS_METRICS, PROCESS_TREE_METRICS } from './process-metrics.ts';
import { RUN_METRICS } from './run-metrics.ts';
import { VECTOR_CACHE_METRICS } from './vector-cache-metrics.ts';
import { WORK_METRICS } from './work-metrics.ts';

export interface MetricGroup {
  readonly title: string;
  readonly metrics: readonly MetricDefinition[];
}

const group = (title: string, metrics: Readonly<Record<string, MetricDefinition>>): MetricGroup => ({
  title,
  metrics: Object.values(metrics),
});

/** Every metric that there is, in the order of the reference. */
export const METRIC_GROUPS: readonly MetricGroup[] = [
  group('Requests', HTTP_METRICS),
  group('API keys', KEY_METRICS),
  group('Work of requests', WORK_METRICS),
  group('Models and their queues', MODEL_METRICS),
  group('Runs', RUN_METRICS),
  group('Lanes', LANE_METRICS),
  group('Vector cache', VECTOR_CACHE_METRICS),
  group('Processes of the service', PROCESS_TREE_METRICS),
  group("The server's own process", PROCESS_METRICS),
  group('Version', BUILD_METRICS),
];
