// What an inference process can do before it has run anything.
import { expect, test } from 'vitest';
import { getJson, postJson } from '../e2e/support/post-json.ts';
import { eventually } from '../e2e/support/process-tree.ts';
import { EMBEDDER, type Faults, newHome, RERANKER, startFaultyServer } from './support/faulty-server.ts';
import { embed, idle } from './support/requests.ts';

const ONE = ['--model-id', EMBEDDER, '--served-model-name', 'model'];
const TWO = [...ONE, '--model-id', RERANKER, '--served-model-name', 'other'];

const rerank = (url: string) =>
  postJson(`${url}/rerank`, { model: 'other', query: 'text', documents: ['title', 'query'] });

async function expectFirstFailed(url: string, reason: string | RegExp): Promise<void> {
  const ready = await getJson(`${url}/ready`);
  expect(ready.body.models[0]).toMatchObject({ id: 'model', state: 'failed', reason: expect.stringMatching(reason) });
  const { data } = (await getJson(`${url}/v1/models`)).body;
  expect(data[0]).toMatchObject({ id: 'model', state: 'failed' });
  expect((await getJson(`${url}/health`)).status).toBe(200);
}

test.each<[string, Faults, string]>([
  [
    'crashes on every start',
    { open: { model: ['crash'] } },
    'ended 5 times while it was starting (last: signal SIGSEGV)',
  ],
  ['cannot create its session', { open: { model: ['throw'] } }, 'The session could not be opened'],
])('a model whose process %s is marked failed with the reason; the others serve', async (_, faults, reason) => {
  const server = startFaultyServer({ args: TWO, faults });
  const url = await server.ready();
  await expectFirstFailed(url, reason.replaceAll(/[()]/g, '.'));
  expect((await getJson(`${url}/ready`)).status).toBe(200);
  expect(await embed(url, 'text')).toMatchObject({ status: 503, body: { error: { code: 'model_failed' } } });
  expect((await rerank(url)).status).toBe(200);
  expect(server.output()).toContain("Model 'model' cannot be served");
  expect(server.lanes()).toHaveLength(1);
});

test('the only model crashing on every start ends the server with 3 and the reason', async () => {
  const server = startFaultyServer({ args: ONE, faults: { open: { model: ['crash'] } } });
  expect(await server.exited).toEqual({ code: 3, signal: null });
  expect(server.output()).toContain('ended 5 times while it was starting (last: signal SIGSEGV)');
});

test('a model whose process crashes on its first start only is served', async () => {
  const server = startFaultyServer({ args: ONE, faults: { open: { model: ['crash', 'none'] } } });
  const url = await server.ready();
  expect((await embed(url, 'text')).status).toBe(200);
  expect(server.output()).toContain('An inference process ended; it is started again.');
});

test('a model whose process hangs at its start is served by the next one; hanging again, it is marked failed', async () => {
  const faults = { open: { model: ['hang', 'none'], other: ['hang'] } } as const;
  const server = startFaultyServer({ args: [...TWO, '--run-timeout', '5'], faults });
  const url = await server.ready();
  expect((await embed(url, 'text')).status).toBe(200);
  await server.waitFor("Model 'other' cannot be served");
  const { models } = (await getJson(`${url}/ready`)).body;
  expect(models[1]).toMatchObject({ id: 'other', state: 'failed' });
  expect(models[1]?.reason).toContain('its session was not open after 5 s, the limit for it');
  expect((await rerank(url)).status).toBe(503);
});

test('a process that dies and cannot start again: requests get 503 at once, /ready tells; mended, it serves again by itself', async () => {
  const server = startFaultyServer({ args: ONE });
  const url = await server.ready();
  expect((await embed(url, 'text')).status).toBe(200);
  server.setFaults({ open: { model: ['throw'] } });
  const [lane = 0] = server.lanes();
  process.kill(lane, 'SIGKILL');
  await server.waitFor('The model cannot be served for now.');
  const ready = await getJson(`${url}/ready`);
  expect(ready).toMatchObject({ status: 503, body: { status: 'failed', error: { code: 'model_failed' } } });
  await expectFirstFailed(url, 'has ended 5 times in a row .last: The session could not be opened');
  const refused = await embed(url, 'text');
  expect(refused).toMatchObject({ status: 503, body: { error: { code: 'model_failed' } } });
  server.setFaults({});
  await eventually(async () => (await getJson(`${url}/ready`)).status === 200, 20_000);
  expect((await embed(url, 'text')).status).toBe(200);
  await idle(url);
});

test.each([
  ['crashes', 'crash', 'its process ended before it was done (signal SIGSEGV)'],
  ['runs out of memory', 'throw', 'failed in the inference process'],
] as const)(
  'a compile process that %s fails its model with the reason, and the next start compiles',
  async (_, compile, reason) => {
    const environment = { INFINITY_HOME: newHome() };
    const failing = startFaultyServer({ args: ONE, environment, faults: { compile } });
    expect((await failing.exited).code).toBe(3);
    expect(failing.output()).toContain(reason);
    const server = startFaultyServer({ args: ONE, environment });
    expect((await embed(await server.ready(), 'text')).status).toBe(200);
  },
);
