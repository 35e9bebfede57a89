// A server that is ended at any moment: nothing of it stays, nothing is damaged, and the next start serves.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { maxAbsDifference } from '../e2e/support/max-abs-difference.ts';
import { eventually, isAlive, processTree } from '../e2e/support/process-tree.ts';
import { EMBEDDER, newHome, RERANKER, startFaultyServer } from './support/faulty-server.ts';
import { embed } from './support/requests.ts';

const ARGS = [
  '--model-id',
  EMBEDDER,
  '--model-id',
  RERANKER,
  '--served-model-name',
  'model',
  '--served-model-name',
  'other',
];

/** From before the socket is open to the middle of requests: a start takes half a second here, on a busy machine two. */
const MOMENTS_MS = [50, 150, 300, 500, 800, 1200, 2000];

const startIn = (home: string) =>
  startFaultyServer({ args: [...ARGS, '--vector-disk-cache'], environment: { INFINITY_HOME: home } });

/** Sends requests, one after the other, until the server is gone. */
async function keepAsking(url: string): Promise<void> {
  for (let index = 0; ; index += 1) {
    const reply = await embed(url, [`text ${index}`, 'query']).catch(() => undefined);
    if (reply === undefined) return;
    expect([200, 503]).toContain(reply.status);
  }
}

async function vectorOf(home: string): Promise<number[]> {
  const server = startIn(home);
  const { status, body } = await embed(await server.ready(), 'text query', { 'cache-control': 'no-cache' });
  expect(status).toBe(200);
  expect(server.output()).not.toContain('WARNING');
  expect(await server.stop()).toBe(0);
  return body.data[0].embedding;
}

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'after %s at any moment no process is left, and the next start serves the same vectors from whole caches',
  async (signal) => {
    const home = newHome();
    const vector = await vectorOf(newHome());
    for (const moment of MOMENTS_MS) {
      const server = startIn(home);
      const asking = server.url().then(keepAsking, () => undefined);
      await new Promise((resolve) => setTimeout(resolve, moment));
      const tree = processTree(server.pid);
      server.child.kill(signal);
      const { code, signal: endedBy } = await server.exited;
      // Before it has heard of signals it ends by them, as any program does.
      if (signal === 'SIGTERM' && server.output().includes('Received SIGTERM')) expect(code).toBe(0);
      else expect([signal, null]).toContain(endedBy);
      await asking;
      await eventually(() => tree.every((pid) => !isAlive(pid)));
    }
    expect(maxAbsDifference(await vectorOf(home), vector)).toBe(0);
    const left = readdirSync(path.join(home, '.infinity_cache/compiled')).filter((name) => name.startsWith('.work-'));
    expect(left).toEqual([]);
  },
);
