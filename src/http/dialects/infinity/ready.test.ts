import { describe, expect, test } from 'vitest';
import type { ModelStatus } from '../../../contracts/engine.ts';
import { fakeEngine, modelStatus } from '../../testing/fake-engine.ts';
import { createTestServer, testKeys } from '../../testing/test-server.ts';

const ready = modelStatus('a');
const loading = modelStatus('b', { state: 'loading' });
const failed = modelStatus('c', { state: 'failed', reason: 'no config.json' });
const retried = modelStatus('r', { state: 'failed', reason: 'no network', recovers: true, retryInS: 20 });

describe('/ready', () => {
  test.each<[name: string, models: readonly ModelStatus[], status: number, word: string, code: string | undefined]>([
    ['all ready', [ready, ready], 200, 'ready', undefined],
    ['one failed while another serves', [failed, ready], 200, 'ready', undefined],
    ['one still loading', [ready, loading, failed], 503, 'loading', 'model_loading'],
    ['none serves', [failed], 503, 'failed', 'model_failed'],
    [
      'one is loaded on demand, and is not in memory',
      [modelStatus('d', { state: 'unloaded', onDemand: true })],
      200,
      'ready',
      undefined,
    ],
    [
      'one is being loaded on demand',
      [ready, modelStatus('d', { state: 'loading', onDemand: true })],
      200,
      'ready',
      undefined,
    ],
    ['one is tried again while another serves', [retried, ready], 200, 'ready', undefined],
    ['the only one is tried again', [retried], 503, 'failed', 'model_failed'],
    ['no models', [], 503, 'failed', 'model_failed'],
  ])('%s', async (_, models, status, word, code) => {
    const { request } = await createTestServer({ engine: fakeEngine({ models: () => models }), ...testKeys('k') });
    const response = await request({ url: '/ready' });
    expect(response.statusCode).toBe(status);
    expect(response.json().status).toBe(word);
    expect(response.json().error?.code).toBe(code);
    expect(response.headers['retry-after']).toBe(code === 'model_loading' ? '2' : undefined);
  });

  test('names the state of each model and the reason of each failure', async () => {
    const { request } = await createTestServer({ engine: fakeEngine({ models: () => [ready, failed, retried] }) });
    expect((await request({ url: '/ready' })).body).toBe(
      '{"status":"ready","models":[{"id":"a","state":"ready"},{"id":"c","state":"failed","reason":"no config.json"},{"id":"r","state":"failed","reason":"no network","retry_in_s":20}]}',
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
  test.each(['/health', '/v1/health'])('%s is open and alive while the server shuts down', async (url) => {
    const engine = fakeEngine({ models: () => [ready] });
    const { request } = await createTestServer({ engine, ...testKeys('k'), isShuttingDown: () => true });
    const response = await request({ url });
    expect([response.statusCode, response.body]).toEqual([200, '{"unix":1796063637.489}']);
  });

  test.each<[name: string, models: readonly ModelStatus[], status: number]>([
    ['all loading', [loading, loading], 200],
    ['one serves', [failed, ready], 200],
    ['one is tried again', [failed, retried], 200],
    ['one is loaded on demand', [failed, modelStatus('d', { state: 'unloaded', onDemand: true })], 200],
    ['all have failed for good', [failed, failed], 503],
  ])('%s', async (_, models, status) => {
    const { request } = await createTestServer({ engine: fakeEngine({ models: () => models }) });
    const response = await request({ url: '/health' });
    expect(response.statusCode).toBe(status);
    expect(response.json().unix).toBe(1796063637.489);
    expect(response.json().error?.code).toBe(status === 200 ? undefined : 'model_failed');
  });
});
