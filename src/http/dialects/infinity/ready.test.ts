import { describe, expect, test } from 'vitest';
import type { ModelStatus } from '../../../contracts/engine.ts';
import { fakeEngine, modelStatus } from '../../testing/fake-engine.ts';
import { createTestServer } from '../../testing/test-server.ts';

const ready = modelStatus('a');
const loading = modelStatus('b', { state: 'loading' });
const failed = modelStatus('c', { state: 'failed', reason: 'no config.json' });

describe('/ready', () => {
  test.each<[name: string, models: readonly ModelStatus[], status: number, word: string, code: string | undefined]>([
    ['all ready', [ready, ready], 200, 'ready', undefined],
    ['one failed while another serves', [failed, ready], 200, 'ready', undefined],
    ['one still loading', [ready, loading, failed], 503, 'loading', 'model_loading'],
    ['none serves', [failed], 503, 'failed', 'model_failed'],
    ['no models', [], 503, 'failed', 'model_failed'],
  ])('%s', async (_, models, status, word, code) => {
    const { request } = await createTestServer({ engine: fakeEngine({ models: () => models }), apiKey: 'k' });
    const response = await request({ url: '/ready' });
    expect(response.statusCode).toBe(status);
    expect(response.json().status).toBe(word);
    expect(response.json().error?.code).toBe(code);
    expect(response.headers['retry-after']).toBe(code === 'model_loading' ? '2' : undefined);
  });

  test('names the state of each model and the reason of each failure', async () => {
    const { request } = await createTestServer({ engine: fakeEngine({ models: () => [ready, failed] }) });
    expect((await request({ url: '/ready' })).body).toBe(
      '{"status":"ready","models":[{"id":"a","state":"ready"},{"id":"c","state":"failed","reason":"no config.json"}]}',
    );
  });

  test('is 503 while the server shuts down, although the models serve', async () => {
    const engine = fakeEngine({ models: () => [ready] });
    const { request } = await createTestServer({ engine, isShuttingDown: () => true });
    const response = await request({ url: '/ready' });
    expect([response.statusCode, response.json().status]).toEqual([503, 'shutting_down']);
  });
});

describe('/health', () => {
  test.each(['/health', '/v1/health'])('%s is open and alive whatever the models do', async (url) => {
    const { request } = await createTestServer({ apiKey: 'k', isShuttingDown: () => true });
    const response = await request({ url });
    expect([response.statusCode, response.body]).toEqual([200, '{"unix":1796063637.489}']);
  });
});
