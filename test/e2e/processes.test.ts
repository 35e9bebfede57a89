import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { postJson } from './support/post-json.ts';
import { eventually, isAlive, lanePids, processTree, treePssBytes } from './support/process-tree.ts';
import { type ServerProcess, startServer } from './support/start-server.ts';

const EMBEDDER = 'BAAI/bge-small-en-v1.5';
/** 64 texts of 512 tokens, a run for each. */
const LONG_REQUEST = longRequest(64);
/** Long enough to do something to it meanwhile. */
const SHORTER_REQUEST = longRequest(24);
const SHORT_REQUEST = { model: EMBEDDER, input: 'one short text' };
const HEALTH_LIMIT_MS = 50;

function longRequest(texts: number) {
  return { model: EMBEDDER, input: Array.from({ length: texts }, (_, index) => `${index} ${'word '.repeat(600)}`) };
}

const servers: ServerProcess[] = [];
function start(options: Parameters<typeof startServer>[0] = {}): ServerProcess {
  const server = startServer(options);
  servers.push(server);
  return server;
}
afterEach(async () => {
  for (const server of servers.splice(0)) {
    for (const pid of processTree(server.pid).reverse()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await server.exited;
  }
});

/** Asks for /health again and again until `work` is done; returns the time of each answer in ms. */
async function healthTimesDuring(url: string, work: Promise<unknown>): Promise<number[]> {
  const timesMs: number[] = [];
  let working = true;
  const finished = work.finally(() => {
    working = false;
  });
  // When an expectation below fails first, nobody waits for the work any more.
  finished.catch(() => undefined);
  while (working) {
    const startedMs = performance.now();
    const response = await fetch(`${url}/health`);
    expect(response.status).toBe(200);
    await response.arrayBuffer();
    timesMs.push(performance.now() - startedMs);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await finished;
  return timesMs;
}

function report(what: string, timesMs: number[]): number {
  const sorted = [...timesMs].sort((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0).toFixed(1);
  console.log(`/health ${what}: ${sorted.length} answers, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`);
  return sorted.at(-1) ?? 0;
}

/** Most items that a model submits at once to measure its own speed, after it is ready. */
const MEASURED_ITEMS = 16;

/** Resolves once the embedder has runs in hand and most of a large request waits. */
async function busy(url: string): Promise<void> {
  await eventually(async () => {
    const { data } = (await (await fetch(`${url}/v1/models`)).json()) as {
      data: { id: string; stats: { queue_absolute: number; results_pending: number } }[];
    };
    return data.some(
      ({ id, stats }) => id === EMBEDDER && stats.queue_absolute > MEASURED_ITEMS && stats.results_pending > 0,
    );
  });
}

// The limits are for a quiet machine: what else runs on its two cores may break one try, not three.
describe('the server process stays responsive', { retry: 2 }, () => {
  it('answers /health while it starts from nothing: listening, compiling, opening sessions', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'infinity-cold-'));
    try {
      const startedMs = performance.now();
      const server = start({ environment: { INFINITY_HOME: home } });
      const url = await server.url();
      const listeningMs = performance.now() - startedMs;
      const early = await fetch(`${url}/ready`);
      expect(early.status).toBe(503);
      const refused = await postJson(`${url}/v1/embeddings`, SHORT_REQUEST);
      expect(refused.status).toBe(503);
      expect(refused.body.error.code).toBe('model_loading');
      const timesMs = await healthTimesDuring(url, server.ready());
      const readyMs = performance.now() - startedMs;
      console.log(
        `cold start: listening after ${listeningMs.toFixed(0)} ms, ready after ${readyMs.toFixed(0)} ms (limit 8000)`,
      );
      expect(readyMs).toBeLessThan(8000);
      expect(report('during a cold start', timesMs)).toBeLessThan(HEALTH_LIMIT_MS);

      expect(await server.stop()).toBe(0);
      const warmMs = performance.now();
      const again = start({ environment: { INFINITY_HOME: home } });
      await again.ready();
      const tookMs = performance.now() - warmMs;
      console.log(`warm start: ready after ${tookMs.toFixed(0)} ms (limit 2500)`);
      expect(tookMs).toBeLessThan(2500);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  it('answers /health within 50 ms during a request of 64 texts of 512 tokens, in bounded memory', async () => {
    const server = start();
    const url = await server.ready();
    const readyMb = treePssBytes(server.pid) / 1e6;
    const reply = postJson(`${url}/v1/embeddings`, LONG_REQUEST);
    const timesMs = await healthTimesDuring(url, reply);
    expect((await reply).body.usage.total_tokens).toBe(64 * 512);
    const afterMb = treePssBytes(server.pid) / 1e6;
    console.log(
      `memory (sum of PSS): ${readyMb.toFixed(0)} MB at ready (limit 700), ${afterMb.toFixed(0)} MB after (limit 1000)`,
    );
    expect(report('during 64 x 512 tokens', timesMs)).toBeLessThan(HEALTH_LIMIT_MS);
    expect(readyMb).toBeLessThan(700);
    expect(afterMb).toBeLessThan(1000);
  });
});

describe('an inference process that is killed', () => {
  it('comes back, and every request succeeds, those of the run in hand by a second try', async () => {
    // Without runs that the model makes to measure itself: one of those would be the one that is lost.
    const server = start({ args: ['--no-model-warmup'] });
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
    const long = postJson(`${url}/v1/embeddings`, SHORTER_REQUEST);
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
      const long = postJson(`${url}/v1/embeddings`, SHORTER_REQUEST);
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
    const long = postJson(`${url}/v1/embeddings`, SHORTER_REQUEST);
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
    const long = postJson(`${url}/v1/embeddings`, LONG_REQUEST).catch((error: Error) => error);
    await busy(url);
    server.child.kill('SIGKILL');
    expect(await long).toBeInstanceOf(Error);
    await eventually(() => lanes.every((pid) => !isAlive(pid)), 2000);
  });
});
