import { expect, test } from 'vitest';
import { createEngine } from '../../engine/create-engine.ts';
import { debugModel } from '../../engine/debug-model.ts';
import { createModelSlot } from '../../engine/model-slot.ts';
import { createTestServer } from '../../http/testing/test-server.ts';
import { openMetrics } from './open-metrics.ts';
import { QUIET_SOURCES } from './testing/quiet-sources.ts';
import { readSamples } from './testing/read-samples.ts';

/** Letters and what paths and labels are made of, by a fixed sequence. */
function randomNames(seed: number): () => string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789-_./"\\{}=';
  let state = seed;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  // Not one that means another path: `.`
  return () => `x${Array.from({ length: 1 + random(20) }, () => letters[random(letters.length)]).join('')}`;
}

function slotOf(servedName: string) {
  const slot = createModelSlot({
    servedName,
    modelId: servedName,
    engine: 'debugengine',
    batchSize: 32,
    embeddingDtype: 'float32',
    maxQueuedItems: 100,
  });
  slot.setReady(debugModel());
  return slot;
}

/** What may be asked for by a random name; each is one request. */
const requestsFor = (name: string) =>
  [
    { method: 'GET', url: `/${name}` },
    { method: 'GET', url: `/models/${name}?a=${name.length}` },
    { method: 'PUT', url: `/docs/static/${name}` },
    { method: 'GET', url: `/%zz${name}` },
  ] as const;

test.each([
  ['one model, which answers to any name', ['m'], 1000],
  ['two models', ['m', 'n'], 100],
])('no path and no model name of a client makes a series: %s', async (_, servedNames, count) => {
  const engine = createEngine(servedNames.map(slotOf));
  const metrics = openMetrics({ ...QUIET_SOURCES, models: engine.models });
  const { server } = await createTestServer({ engine, observers: metrics.observers, metrics });
  const nextName = randomNames(1);

  async function sendSome(requests: number): Promise<void> {
    for (let index = 0; index < requests; index += 1) {
      const name = nextName();
      await server.inject({ method: 'POST', url: '/embeddings', payload: { model: name, input: 'x' } });
      await server.inject({ ...requestsFor(encodeURIComponent(name))[index % 4] });
    }
  }
  const series = async () => [...readSamples((await server.inject({ url: '/metrics' })).body).keys()].sort();

  await server.inject({ method: 'POST', url: '/embeddings', payload: { model: 'm', input: 'x' } });
  await sendSome(8);
  await series();
  const before = await series();
  await sendSome(count);
  expect(await series()).toEqual(before);
  expect(before.filter((each) => each.startsWith('http_requests_total')).length).toBeGreaterThanOrEqual(4);
});
