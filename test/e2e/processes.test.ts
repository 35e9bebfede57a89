import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { EMBEDDER, longRequest, SHORT_REQUEST } from './support/long-request.ts';
import { getJson, postJson } from './support/post-json.ts';
import { eventually, isAlive, lanePids, processTree } from './support/process-tree.ts';
import { startForTest } from './support/start-for-test.ts';
import type { ServerOptions } from './support/start-server.ts';

/** Runs for so long that something can be done to it meanwhile. */
const LONG_REQUEST = longRequest(8);
/** Would run for ten seconds, if it were not ended. */
const ENDLESS_REQUEST = longRequest(64);

/** A server whose models make no runs to measure themselves: a run in hand is one that a test has asked for. */
const start = (options: ServerOptions = {}) =>
  startForTest({ ...options, environment: { INFINITY_MODEL_WARMUP: 'false' } });

/** Resolves once the embedder has runs in hand and others wait. */
async function busy(url: string): Promise<void> {
  await eventually(async () => {
    const { body } = await getJson(`${url}/v1/models`);
    return body.data.some(({ id, stats }) => id === EMBEDDER && stats.queue_absolute > 0 && stats.results_pending > 0);
  });
}

describe('an inference process that is killed', () => {
  it('comes back, and every request succeeds, those of the run in hand by a second try', async () => {
    const server = start();
    const url = await server.ready();
    expect(lanePids(server.pid)).toHaveLength(2);
    const long = postJson(`${url}/v1/embeddings`, LONG_REQUEST);
    await busy(url);
    process.kill(embedderLane(server.pid), 'SIGKILL');
    const rerank = postJson(`${url}/rerank`, {
      model: 'cross-encoder/ms-marco-MiniLM-L-12-v2',
      query: 'q',
      documents: ['a', 'b'],
    });
    const queued = Array.from({ length: 4 }, () => postJson(`${url}/v1/embeddings`, SHORT_REQUEST));
    await server.waitFor('An inference process ended; it is started again.');
    expect((await long).status).toBe(200);
    expect((await rerank).status).toBe(200);
    for (const reply of await Promise.all(queued)) expect(reply.status).toBe(200);
    expect((await postJson(`${url}/v1/embeddings`, SHORT_REQUEST)).status).toBe(200);
    expect(lanePids(server.pid)).toHaveLength(2);
    expect(await server.stop()).toBe(0);
  });
});

/** The inference process of the embedder, by its title. */
function embedderLane(serverPid: number): number {
  const pid = lanePids(serverPid).find((lane) => /bge-small/.test(readFileSync(`/proc/${lane}/cmdline`, 'utf8')));
  if (pid === undefined) throw new Error('the embedder has no inference process');
  return pid;
}

describe('ending the server', () => {
  it('finishes the run in hand on SIGTERM, refuses new work and exits 0', async () => {
    const server = start();
    const url = await server.ready();
    const long = postJson(`${url}/v1/embeddings`, LONG_REQUEST);
    await busy(url);
    const lanes = lanePids(server.pid);
    server.child.kill('SIGTERM');
    await server.waitFor('Received SIGTERM');
    const late = await postJson(`${url}/v1/embeddings`, SHORT_REQUEST).catch((error: Error) => error);
    if (!(late instanceof Error)) expect(late.status).toBe(503);
    expect((await long).status).toBe(200);
    expect(await server.exited).toEqual({ code: 0, signal: null });
    await eventually(() => lanes.every((pid) => !isAlive(pid)));
  });

  it('ends cleanly when SIGTERM goes to npm alone', async () => {
    const server = start({ command: ['npm', 'start', '--silent'], detached: true });
    await server.ready();
    const tree = processTree(server.pid);
    expect(tree.length).toBeGreaterThanOrEqual(4);
    server.child.kill('SIGTERM');
    await server.exited;
    await eventually(() => tree.every((pid) => !isAlive(pid)));
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'finishes the run in hand when %s goes to the whole process group',
    async (signal) => {
      const server = start({ command: ['npm', 'start', '--silent'], detached: true });
      const url = await server.ready();
      const tree = processTree(server.pid);
      const long = postJson(`${url}/v1/embeddings`, LONG_REQUEST);
      await busy(url);
      process.kill(-server.pid, signal);
      expect((await long).status).toBe(200);
      await server.exited;
      await eventually(() => tree.every((pid) => !isAlive(pid)));
    },
  );

  it('takes one Ctrl+C that arrives twice for one', async () => {
    const server = start();
    const url = await server.ready();
    const long = postJson(`${url}/v1/embeddings`, LONG_REQUEST);
    await busy(url);
    server.child.kill('SIGINT');
    await server.waitFor('Received SIGINT');
    server.child.kill('SIGINT');
    expect((await long).status).toBe(200);
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  it('leaves no inference process after a SIGKILL, not even one in the middle of a run', async () => {
    const server = start();
    const url = await server.ready();
    const lanes = lanePids(server.pid);
    const long = postJson(`${url}/v1/embeddings`, ENDLESS_REQUEST).catch((error: Error) => error);
    await busy(url);
    server.child.kill('SIGKILL');
    expect(await long).toBeInstanceOf(Error);
    await eventually(() => lanes.every((pid) => !isAlive(pid)), 2000);
  });
});
