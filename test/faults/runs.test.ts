// What a run of the model can do to those who wait for it, and to the others.
import { expect, test } from 'vitest';
import { getJson } from '../e2e/support/post-json.ts';
import { eventually, isAlive } from '../e2e/support/process-tree.ts';
import { EMBEDDER, RERANKER, startFaultyServer, wordFor } from './support/faulty-server.ts';
import { embed, embedTogether, expectRight, idle } from './support/requests.ts';

const MODEL = ['--model-id', EMBEDDER, '--served-model-name', 'model'];

async function start(...args: string[]) {
  const server = startFaultyServer({ args: [...MODEL, ...args] });
  return { server, url: await server.ready() };
}

async function expectReady(url: string): Promise<void> {
  expect((await getJson(`${url}/ready`)).status).toBe(200);
  expect((await getJson(`${url}/health`)).status).toBe(200);
}

test.each([
  ['throws', 'throw', 'The run failed'],
  ['gives numbers that are not finite', 'nan', 'not finite'],
  ['gives an output of the wrong shape', 'shape', 'unexpected output'],
])(
  'a run that %s fails the request of that text with 500, and no other [INF#242, INF#609, INF PR 614]',
  async (_, action, message) => {
    const { server, url } = await start();
    const [lane] = server.lanes();
    const replies = await embedTogether(server, url, ['text query', `${wordFor(action)} query`, 'title query']);
    expect(server.runs().slice(0, 3)).toEqual([1, 1, 3]);
    expect(replies[1]).toMatchObject({ status: 500, body: { error: { code: 'run_failed', type: 'server_error' } } });
    expect(replies[1]?.body.error.message).toContain(message);
    if (replies[0] !== undefined) await expectRight(url, replies[0], 'text query');
    if (replies[2] !== undefined) await expectRight(url, replies[2], 'title query');
    await expectReady(url);
    expect(server.lanes()).toEqual([lane]);
    expect(server.output()).toMatch(/request failed.*run_failed/);
    await idle(url);
  },
);

test.each([
  ['crashes', 'crash', 'signal SIGSEGV'],
  ['ends', 'exit', 'exit code 7'],
])(
  'a text whose run %s the process is refused after two tries with 500, without a run from then on',
  async (_, action, reason) => {
    const { server, url } = await start();
    const deadly = `${wordFor(action)} query`;
    const replies = await embedTogether(server, url, ['text query', deadly, 'title query']);
    expect(replies[1]).toMatchObject({ status: 500, body: { error: { code: 'lane_lost', type: 'server_error' } } });
    expect(replies[1]?.body.error.message).toContain('has ended the inference process of this model 2 times');
    if (replies[0] !== undefined) await expectRight(url, replies[0], 'text query');
    if (replies[2] !== undefined) await expectRight(url, replies[2], 'title query');
    expect(server.output().match(/An inference process ended; it is started again/g)).toHaveLength(2);
    expect(server.output()).toContain(reason);
    const [lane] = server.lanes();
    const runs = server.runs().length;
    expect(await embed(url, ['open', deadly])).toMatchObject({ status: 500, body: { error: { code: 'lane_lost' } } });
    expect([server.runs().length, server.lanes()]).toEqual([runs, [lane]]);
    await expectReady(url);
  },
);

test('a run that never returns is ended after --run-timeout; its text is refused, all others are served [INF PR 668]', async () => {
  const { server, url } = await start('--run-timeout', '2');
  const [lane = 0] = server.lanes();
  const startedMs = performance.now();
  const hanging = embed(url, `${wordFor('hang')} query`);
  await eventually(() => server.runs().length === 1, 20_000);
  const others = [embed(url, 'text query'), embed(url, 'title')];
  expect(await hanging).toMatchObject({ status: 500, body: { error: { code: 'lane_lost' } } });
  expect(performance.now() - startedMs).toBeGreaterThan(4000);
  for (const reply of await Promise.all(others)) expect(reply.status).toBe(200);
  expect(server.output()).toContain('a run was not answered after 2 s, the limit for it');
  expect(isAlive(lane)).toBe(false);
  await expectReady(url);
  await idle(url);
});

test('a process that is killed in a run costs nobody an answer', async () => {
  const { server, url } = await start();
  const wait = wordFor('wait');
  const asked = [embed(url, wait), embed(url, ['text query', 'title'])];
  await eventually(() => server.runs().length === 1, 20_000);
  const [lane = 0] = server.lanes();
  process.kill(lane, 'SIGKILL');
  server.release();
  for (const reply of await Promise.all(asked)) expect(reply.status).toBe(200);
  expect(server.output()).toContain('signal SIGKILL');
  expect(server.lanes()).not.toContain(lane);
  await expectReady(url);
});

test('a model that hangs holds up no other model', async () => {
  const server = startFaultyServer({
    args: [
      '--model-id',
      EMBEDDER,
      '--model-id',
      RERANKER,
      '--served-model-name',
      'model',
      '--served-model-name',
      'other',
    ],
  });
  const url = await server.ready();
  const hanging = embed(url, wordFor('hang')).catch((error: Error) => error);
  await eventually(() => server.runs().length === 1, 20_000);
  const scored = await fetch(`${url}/rerank`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'other', query: 'text', documents: ['title', 'query'] }),
  });
  expect(scored.status).toBe(200);
  server.child.kill('SIGKILL');
  expect(await hanging).toBeInstanceOf(Error);
});
