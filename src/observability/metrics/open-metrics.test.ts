import { setTimeout as later } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { FinishedRequest } from '../../contracts/finished-request.ts';
import type { VectorStoreUse } from '../../contracts/vector-store.ts';
import { modelStatus } from '../../http/testing/fake-engine.ts';
import { FakeLane } from '../../scheduling/testing/fake-lane.ts';
import { METRIC_GROUPS } from './metric-groups.ts';
import { type MetricSources, openMetrics } from './open-metrics.ts';
import { QUIET_SOURCES } from './testing/quiet-sources.ts';
import { readSamples } from './testing/read-samples.ts';

const REQUEST: FinishedRequest = {
  id: 'id-1',
  method: 'POST',
  route: '/embeddings',
  status: 200,
  key: undefined,
  error: undefined,
  startMs: 1000,
  endMs: 1200,
  requestBytes: 300,
  replyBytes: 2000,
  traceparent: undefined,
  tracestate: undefined,
  work: {},
};

function opened(sources: Partial<MetricSources> = {}) {
  const metrics = openMetrics({ ...QUIET_SOURCES, ...sources });
  const observe = (request: Partial<FinishedRequest>) => {
    for (const each of metrics.observers) each({ ...REQUEST, ...request });
  };
  return { ...metrics, observe, samples: async () => readSamples(await metrics.render()) };
}

describe('requests', () => {
  test('are counted by the names and labels of the original', async () => {
    const { observe, samples } = opened();
    observe({});
    observe({ route: undefined, method: 'PROPFIND', status: 404, error: 'route_not_found', requestBytes: undefined });
    const found = await samples();
    expect(found.get('http_requests_total{method="POST",status="2xx",handler="/embeddings"}')).toBe(1);
    expect(found.get('http_requests_total{method="other",status="4xx",handler="none"}')).toBe(1);
    expect(found.get('http_request_duration_highr_seconds_bucket{le="0.25"}')).toBe(2);
    expect(found.get('http_request_size_bytes_sum{handler="/embeddings"}')).toBe(300);
    expect(found.get('http_response_size_bytes_sum{handler="/embeddings"}')).toBe(2000);
    expect(found.has('http_request_size_bytes_sum{handler="none"}')).toBe(false);
    const seconds = 'http_request_duration_seconds_sum{method="POST",status="2xx",handler="/embeddings"}';
    expect(found.get(seconds)).toBeCloseTo(0.2);
  });

  test('of keys are counted by their names, and no more names than a file may have are kept', async () => {
    const { observe, samples } = opened();
    observe({ key: 'search', work: { tokens: 7 } });
    observe({ key: 'search', status: 429, error: 'rate_limited' });
    observe({});
    for (let index = 0; index < 2001; index += 1) observe({ key: `rotated-${index}` });
    const found = await samples();
    expect(found.get('infinity_key_requests_total{key="search",status="2xx"}')).toBe(1);
    expect(found.get('infinity_key_requests_total{key="search",status="4xx"}')).toBe(1);
    expect(found.get('infinity_key_tokens_total{key="search"}')).toBe(7);
    expect(found.get('infinity_key_requests_total{key="others",status="2xx"}')).toBe(2);
    expect([...found.keys()].filter((series) => series.startsWith('infinity_key_tokens_total'))).toHaveLength(2001);
  });

  test.each([
    [429, 'overloaded'],
    [504, 'deadline_exceeded'],
    [499, 'request_cancelled'],
  ] as const)('that end with %i are told apart by code and model', async (status, error) => {
    const { observe, samples } = opened();
    observe({ status, error, work: { model: 'm' } });
    const series = `infinity_request_errors_total{handler="/embeddings",model="m",status="${status}",code="${error}"}`;
    expect((await samples()).get(series)).toBe(1);
  });

  test('have their items, their tokens and the time of each stage', async () => {
    const { observe, samples } = opened();
    const period = (endMs: number) => ({ startMs: 0, endMs });
    observe({
      work: { model: 'm', items: 2, tokens: 9, tokenize: period(1), wait: period(20), run: period(300) },
    });
    observe({ work: { model: 'm', items: 1, tokens: 4, tokenize: period(1) } });
    const found = await samples();
    expect(found.get('infinity_request_items_total{model="m"}')).toBe(3);
    expect(found.get('infinity_request_tokens_total{model="m"}')).toBe(13);
    expect(found.get('infinity_request_stage_seconds_count{model="m",stage="tokenize"}')).toBe(2);
    expect(found.get('infinity_request_stage_seconds_sum{model="m",stage="wait"}')).toBeCloseTo(0.02);
    expect(found.get('infinity_request_stage_seconds_sum{model="m",stage="run"}')).toBeCloseTo(0.3);
  });
});

test('runs have their sizes, their padding and their failures', async () => {
  const { observeRun, samples } = opened();
  observeRun('m', { items: 3, tokens: 100, paddingTokens: 20, ms: 40, failed: false });
  observeRun('m', { items: 1, tokens: 50, paddingTokens: 0, ms: 60, failed: true });
  const found = await samples();
  expect(found.get('infinity_run_items_sum{model="m"}')).toBe(4);
  expect(found.get('infinity_run_tokens_sum{model="m"}')).toBe(150);
  expect(found.get('infinity_run_padding_tokens_total{model="m"}')).toBe(20);
  expect(found.get('infinity_run_seconds_sum{model="m"}')).toBeCloseTo(0.1);
  expect(found.get('infinity_runs_failed_total{model="m"}')).toBe(1);
});

test('models have their state, their queue and its limits, as they are when they are asked for', async () => {
  let status = modelStatus('m', { state: 'loading' });
  const { samples } = opened({ models: () => [status] });
  expect((await samples()).get('infinity_model_state{model="m",state="loading"}')).toBe(1);
  status = modelStatus('m', { precision: 'int8', queuedItems: 5, queuedTokens: 70, runningItems: 2 });
  const found = await samples();
  expect(found.get('infinity_model_state{model="m",state="loading"}')).toBe(0);
  expect(found.get('infinity_model_state{model="m",state="ready"}')).toBe(1);
  expect(found.get('infinity_queued_items{model="m"}')).toBe(5);
  expect(found.get('infinity_queued_tokens{model="m"}')).toBe(70);
  expect(found.get('infinity_running_items{model="m"}')).toBe(2);
  expect(found.get('infinity_queue_items_limit{model="m"}')).toBe(32_000);
  expect(found.get('infinity_queue_tokens_limit{model="m"}')).toBe(1000);
  expect([...found.keys()].filter((series) => series.startsWith('infinity_model_info'))).toEqual([
    'infinity_model_info{model="m",engine="onnx",precision="int8",variant="",architecture=""}',
  ]);
});

test('lanes have their states, and are counted when they are started again', async () => {
  const { watchLane, samples } = opened();
  const [one, other] = [new FakeLane('starting'), new FakeLane('starting')];
  for (const lane of [one, other]) watchLane(lane, 'm');
  one.become('ready');
  other.become('lost');
  other.become('starting');
  const found = await samples();
  expect(found.get('infinity_lanes{model="m",state="ready"}')).toBe(1);
  expect(found.get('infinity_lanes{model="m",state="starting"}')).toBe(1);
  expect(found.get('infinity_lanes{model="m",state="lost"}')).toBe(0);
  expect(found.get('infinity_lane_restarts_total{model="m"}')).toBe(1);
  await one.close();
  expect((await samples()).get('infinity_lanes{model="m",state="ready"}')).toBe(0);
});

test('stores of vectors have their totals, and lookups by model', async () => {
  const use: VectorStoreUse = {
    store: 'memory',
    counts: { entries: 3, bytes: 300, limitBytes: 1000, hits: 9, misses: 9, evictions: 4, errors: 1, bypassed: 2 },
    lookups: [{ model: 'm', hits: 5, misses: 6 }],
  };
  const { samples } = opened({ vectorCache: () => [use] });
  await samples();
  const found = await samples();
  expect(found.get('infinity_vector_cache_hits_total{store="memory",model="m"}')).toBe(5);
  expect(found.get('infinity_vector_cache_misses_total{store="memory",model="m"}')).toBe(6);
  const values = ['entries', 'bytes', 'limit_bytes', 'evictions_total', 'errors_total', 'bypassed_total'].map((name) =>
    found.get(`infinity_vector_cache_${name}{store="memory"}`),
  );
  expect(values).toEqual([3, 300, 1000, 4, 1, 2]);
});

test("the server's own process is there, and its CPU time only grows", async () => {
  const { samples } = opened();
  const before = await samples();
  const startMs = performance.now();
  while (performance.now() - startMs < 30);
  await later(0);
  const after = await samples();
  for (const name of ['process_cpu_seconds_total', 'infinity_event_loop_busy_seconds_total']) {
    expect(after.get(name)).toBeGreaterThan(before.get(name) ?? Number.NaN);
  }
  expect(after.get('process_resident_memory_bytes')).toBeGreaterThan(10e6);
  expect(after.get('process_start_time_seconds')).toBeCloseTo(performance.timeOrigin / 1000);
  expect(after.get(`infinity_build_info{version="1.2.3",node="${process.version}"}`)).toBe(1);
});

test('every metric that is defined is there, and no other', async () => {
  const text = await openMetrics(QUIET_SOURCES).render();
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, kind]) => `${name} ${kind}`);
  const defined = METRIC_GROUPS.flatMap(({ metrics }) => metrics.map(({ name, kind }) => `${name} ${kind}`));
  expect(names.sort()).toEqual(defined.sort());
});
