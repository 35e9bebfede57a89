import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOtlpReceiver } from './support/otlp-receiver.ts';
import { postJson } from './support/post-json.ts';
import { eventually } from './support/process-tree.ts';
import { PROJECT_ROOT, type ServerProcess, startServer } from './support/start-server.ts';

const MODEL = path.join(PROJECT_ROOT, 'test/golden/public/bert-mean/model');
const ARGUMENTS = ['--model-id', MODEL, '--served-model-name', 'm'];
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

const at =
  (url: string) =>
  (input: string, headers: Record<string, string> = {}) =>
    postJson(`${url}/v1/embeddings`, { model: 'm', input }, headers);

describe('with a collector', () => {
  let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
  let server: ServerProcess;
  let embed: ReturnType<typeof at>;
  beforeAll(async () => {
    receiver = await startOtlpReceiver();
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      OTEL_SERVICE_NAME: 'search',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
    };
    server = startServer({ args: ARGUMENTS, environment });
    embed = at(await server.ready());
  });
  afterAll(() => receiver.close());

  const spansOf = async (requestId: string) => {
    const root = () => receiver.spans.find(({ attributes }) => attributes['infinity.request_id'] === requestId);
    await eventually(() => root() !== undefined);
    const { traceId } = root() ?? {};
    return { root: root(), stages: receiver.spans.filter((span) => span.traceId === traceId && span !== root()) };
  };

  it('a request is a span with its stages in it, each within its time', async () => {
    expect((await embed('one text', { 'x-request-id': 'plain' })).status).toBe(200);
    const { root, stages } = await spansOf('plain');
    expect(root).toMatchObject({ name: 'POST /v1/embeddings', kind: 2, parentSpanId: '', status: 0 });
    expect(root?.attributes).toMatchObject({
      'http.route': '/v1/embeddings',
      'http.response.status_code': 200,
      'gen_ai.request.model': 'm',
      'infinity.items': 1,
    });
    expect(stages.map(({ name }) => name).sort()).toEqual(['run', 'tokenize', 'wait']);
    for (const stage of stages) {
      expect(stage.parentSpanId).toBe(root?.spanId);
      expect(stage.startNs).toBeGreaterThanOrEqual(root?.startNs ?? 0n);
      expect(stage.endNs).toBeLessThanOrEqual(root?.endNs ?? 0n);
      expect(stage.endNs).toBeGreaterThanOrEqual(stage.startNs);
    }
    expect(Math.abs(Number((root?.startNs ?? 0n) / 1_000_000n) - Date.now())).toBeLessThan(60_000);
    expect(receiver.resources[0]).toMatchObject({ 'service.name': 'search', 'deployment.environment': 'test' });
  });

  it("a caller's trace goes on in it, with its state", async () => {
    await embed('x', {
      traceparent: `00-${TRACE_ID}-${CALLER}-01`,
      tracestate: 'vendor=1',
      'x-request-id': 'called',
    });
    const { root, stages } = await spansOf('called');
    expect(root).toMatchObject({ traceId: TRACE_ID, parentSpanId: CALLER, traceState: 'vendor=1' });
    expect(stages).toHaveLength(3);
  });

  it('a caller that does not sample has no spans, and one whose header is nonsense begins a trace', async () => {
    await embed('x', { traceparent: `00-${TRACE_ID}-${CALLER}-00`, 'x-request-id': 'unsampled' });
    await embed('x', { traceparent: 'nonsense', 'x-request-id': 'nonsense' });
    expect((await spansOf('nonsense')).root?.parentSpanId).toBe('');
    expect(receiver.spans.filter(({ attributes }) => attributes['infinity.request_id'] === 'unsampled')).toEqual([]);
  });

  it('what runs out of time is an error, what a client did wrong is not', async () => {
    expect((await embed('x', { 'x-request-timeout': '0.000001', 'x-request-id': 'late' })).status).toBe(504);
    expect((await spansOf('late')).root).toMatchObject({
      status: 2,
      attributes: { 'error.type': 'deadline_exceeded' },
    });
    expect((await embed('', { 'x-request-timeout': 'soon', 'x-request-id': 'wrong' })).status).toBe(400);
    expect((await spansOf('wrong')).root).toMatchObject({ status: 0, attributes: { 'error.type': 'invalid_request' } });
  });

  it('the last spans are sent before the server ends, and none holds a text or a key', async () => {
    await embed('a secret text', { 'x-request-id': 'last', authorization: 'Bearer secret' });
    expect(await server.stop()).toBe(0);
    expect((await spansOf('last')).stages).toHaveLength(3);
    const everything = JSON.stringify(receiver.spans, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
    expect(everything).not.toContain('secret');
  });
});

it('a collector that is not there costs one warning and nothing else', async () => {
  const gone = await startOtlpReceiver();
  gone.close();
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: gone.url,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_EXPORTER_OTLP_TIMEOUT: '300',
  };
  const server = startServer({ args: ARGUMENTS, environment });
  const embed = at(await server.ready());
  for (const input of ['a', 'b', 'c']) expect((await embed(input)).status).toBe(200);
  await server.waitFor(/^WARNING: Traces could not be sent.*$/m);
  expect((await embed('d')).status).toBe(200);
  expect(await server.stop()).toBe(0);
  expect(server.output().match(/Traces could not be sent/g)).toHaveLength(1);
});
