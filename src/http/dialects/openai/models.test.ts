import { describe, expect, test } from 'vitest';
import { fakeEngine, modelStatus } from '../../testing/fake-engine.ts';
import { createTestServer } from '../../testing/test-server.ts';

const engine = fakeEngine({
  models: () => [
    modelStatus('org/embedder', { revision: 'a1b2', queuedItems: 320, runningItems: 2 }),
    modelStatus('r', { state: 'failed', reason: 'no config.json', capabilities: [] }),
  ],
});

describe.each(['/models', '/v1/models'])('%s', (url) => {
  test('lists every model in the order of the engine, with its state', async () => {
    const { request } = await createTestServer({ engine });
    const response = await request({ url });
    const embedder =
      '{"id":"org/embedder","stats":{"queue_fraction":0.01,"queue_absolute":320,"results_pending":2,"batch_size":32},' +
      '"object":"model","owned_by":"infinity","created":1796063637,"backend":"onnx","capabilities":["embed"],"state":"ready","revision":"a1b2"}';
    expect(response.body).toContain(`{"data":[${embedder},{"id":"r",`);
    expect(response.json()).toMatchObject({
      object: 'list',
      data: [{}, { capabilities: [], state: 'failed', revision: null }],
    });
  });

  test('says how a quantised graph computes, and how well', async () => {
    const quality = { texts: 44, leastCosine: 0.998, medianCosine: 0.9995 };
    const told = modelStatus('q', { precision: 'int8', variant: 'int8-by-row', quality });
    const { request } = await createTestServer({ engine: fakeEngine({ models: () => [told] }) });
    expect((await request({ url })).json().data[0]).toMatchObject({
      precision: 'int8',
      variant: 'int8-by-row',
      quality,
    });
  });

  test.each(['org/embedder', 'org%2Fembedder', 'org/embedder/'])('finds one model as %s', async (id) => {
    const { request } = await createTestServer({ engine });
    const response = await request({ url: `${url}/${id}` });
    expect([response.statusCode, response.json().id]).toEqual([200, 'org/embedder']);
  });

  test('answers 404 with the names there are', async () => {
    const { request } = await createTestServer({ engine });
    const response = await request({ url: `${url}/org/other` });
    expect(response.statusCode).toBe(404);
    expect(response.json().error).toEqual({
      message: "Model 'org/other' is not served here; there are: 'org/embedder', 'r'",
      type: 'invalid_request_error',
      param: 'model',
      code: 'model_not_found',
    });
  });
});

test('a name longer than a usual path part is looked up like any other', async () => {
  const name = `models/${'x'.repeat(3000)}`;
  const { request } = await createTestServer({ engine: fakeEngine({ models: () => [modelStatus(name)] }) });
  expect((await request({ url: `/v1/models/${name}` })).json().id).toBe(name);
});
