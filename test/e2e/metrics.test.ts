import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSamples } from '../../src/observability/metrics/testing/read-samples.ts';
import { partsOf, readQueries } from '../deploy/read-queries.ts';
import { postJson } from './support/post-json.ts';
import { eventually, lanePids } from './support/process-tree.ts';
import { type ServerProcess, startServer } from './support/start-server.ts';

const MODEL = 'BAAI/bge-small-en-v1.5';

let server: ServerProcess;
let url: string;

beforeAll(async () => {
  server = startServer({
    args: ['--model-id', MODEL, '--vector-memory-cache-bytes', '1000000', '--url-prefix', '/v1'],
  });
  url = await server.ready();
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
});

async function samples() {
  const response = await fetch(`${url}/metrics`);
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return readSamples(await response.text());
}

const embed = (input: string | readonly string[], headers = {}) =>
  postJson(`${url}/v1/embeddings`, { model: MODEL, input }, headers);

test('a request is counted from its route to its run, and again when its vectors are known', async () => {
  for (const status of [200, 200]) expect((await embed(['One.', 'Another one.', 'One.'])).status).toBe(status);
  const found = await samples();
  expect(found.get('http_requests_total{method="POST",status="2xx",handler="/v1/embeddings"}')).toBe(2);
  expect(found.get(`infinity_request_items_total{model="${MODEL}"}`)).toBe(6);
  expect(found.get(`infinity_request_tokens_total{model="${MODEL}"}`)).toBe(2 * (4 + 5 + 4));
  const count = (stage: string) => found.get(`infinity_request_stage_seconds_count{model="${MODEL}",stage="${stage}"}`);
  expect(['tokenize', 'wait', 'run'].map(count)).toEqual([2, 1, 1]);
  expect(found.get(`infinity_vector_cache_hits_total{store="memory",model="${MODEL}"}`)).toBe(2);
  expect(found.get(`infinity_vector_cache_misses_total{store="memory",model="${MODEL}"}`)).toBe(2);
  expect(found.get('infinity_vector_cache_entries{store="memory"}')).toBe(2);
  expect(found.get(`infinity_run_padding_tokens_total{model="${MODEL}"}`)).toBe(0);
  expect(found.get(`infinity_model_state{model="${MODEL}",state="ready"}`)).toBe(1);
});

test('a request that runs out of time and one whose client goes are told apart, and the queue drains to 0', async () => {
  const long = Array.from({ length: 24 }, (_, index) => `${index} ${'word '.repeat(600)}`);
  expect((await embed('late', { 'x-request-timeout': '0.001' })).status).toBe(504);
  const leaving = new AbortController();
  const gone = fetch(`${url}/v1/embeddings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, input: long }),
    signal: leaving.signal,
  });
  const failed = expect(gone).rejects.toThrow();
  await eventually(async () => (await samples()).get(`infinity_queued_items{model="${MODEL}"}`) !== 0, 30_000);
  leaving.abort();
  await failed;
  const errors = (code: string, status: number) =>
    `infinity_request_errors_total{handler="/v1/embeddings",model="${MODEL}",status="${status}",code="${code}"}`;
  await eventually(async () => (await samples()).get(errors('request_cancelled', 499)) === 1, 30_000);
  await eventually(async () => {
    const found = await samples();
    return ['queued_items', 'queued_tokens', 'running_items'].every(
      (name) => found.get(`infinity_${name}{model="${MODEL}"}`) === 0,
    );
  }, 30_000);
  expect((await samples()).get(errors('deadline_exceeded', 504))).toBe(1);
});

test('a lane that is killed is counted once it is started again, and the figures are those of all processes', async () => {
  const before = await samples();
  const lane = `{process="lane",model="${MODEL}"}`;
  expect(before.get(`infinity_process_resident_bytes${lane}`)).toBeGreaterThan(50e6);
  expect(before.get('infinity_process_resident_bytes{process="server",model=""}')).toBeGreaterThan(50e6);
  const [pid = -1] = lanePids(server.pid);
  process.kill(pid, 'SIGKILL');
  await eventually(async () => {
    const found = await samples();
    const restarted = found.get(`infinity_lane_restarts_total{model="${MODEL}"}`) === 1;
    return restarted && found.get(`infinity_lanes{model="${MODEL}",state="ready"}`) === 1;
  }, 30_000);
  const after = await samples();
  const cpu = `infinity_process_cpu_seconds_total${lane}`;
  expect(after.get(cpu)).toBeGreaterThanOrEqual(before.get(cpu) ?? Number.NaN);
});

test('everything that the dashboard and the alerts ask for is there', async () => {
  const text = await (await fetch(`${url}/metrics`)).text();
  const kinds = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', kind]) => [name, kind] as const);
  const series = new Set(
    kinds.flatMap(([name, kind]) =>
      kind === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
    ),
  );
  const asked = readQueries().flatMap(({ expression }) =>
    partsOf(expression).selectors.map((selector) => selector.series),
  );
  expect(asked.length).toBeGreaterThan(30);
  // `up` is Prometheus' own.
  expect(asked.filter((name) => name !== 'up' && !series.has(name))).toEqual([]);
});
