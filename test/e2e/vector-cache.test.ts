import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { findRedisServer, freePort, startRedisServer } from '../fakes/redis-server.ts';
import { postJson } from './support/post-json.ts';
import type { EmbeddingRow } from './support/reply-body.ts';
import { startForTest } from './support/start-for-test.ts';
import { MAIN, PROJECT_ROOT, type ServerProcess } from './support/start-server.ts';

const EMBEDDER = 'BAAI/bge-small-en-v1.5';
const RERANKER = 'cross-encoder/ms-marco-MiniLM-L-12-v2';
const HOME = `${PROJECT_ROOT}test-results/home`;

const start = (...args: string[]) => startForTest({ args });

const cacheCommand = (...args: string[]) =>
  execFileSync(process.execPath, [MAIN, 'cache', ...args], {
    env: { PATH: process.env.PATH, INFINITY_HOME: HOME },
    encoding: 'utf8',
  });

async function embed(
  server: ServerProcess,
  input: readonly string[],
  rest: object = {},
): Promise<EmbeddingRow['embedding'][]> {
  const { status, body } = await postJson(`${await server.ready()}/v1/embeddings`, { model: EMBEDDER, input, ...rest });
  expect(status).toBe(200);
  return body.data.map(({ embedding }) => embedding);
}

const TEXTS = ['One text.', 'Another one.', 'A third.'];

test('vectors on disk outlive SIGKILL, are bit for bit those that were computed, and can be shown and cleared', async () => {
  cacheCommand('clear');
  const flags = ['--model-id', EMBEDDER, '--vector-disk-cache'];
  const first = start(...flags);
  const computed = await embed(first, TEXTS);
  await expect.poll(() => cacheCommand('stats'), { timeout: 5000 }).toMatch(/^disk, .*: [34] entries, 0\.0 of/);
  first.child.kill('SIGKILL');
  await first.exited;

  const second = start(...flags);
  expect(await embed(second, [...TEXTS, 'A new one.'])).toEqual([...computed, expect.any(Array)]);
  expect(await embed(second, TEXTS, { cache: false })).toHaveLength(3);
  const cut = await embed(second, TEXTS, { dimensions: 8 });
  expect(cut[0]).toHaveLength(8);
  expect(await second.stop()).toBe(0);
  expect(second.output()).toContain(`Vector cache of '${EMBEDDER}': 6 items known, 1 computed.`);
  expect(cacheCommand('clear')).toMatch(/: 0 entries/);
});

test('a pair is known by both of its sides', async () => {
  const server = start('--model-id', RERANKER, '--vector-memory-cache-bytes', '1000000');
  const url = await server.ready();
  const score = async (query: string, document: string) => {
    const { body } = await postJson(`${url}/v1/rerank`, { model: RERANKER, query, documents: [document] });
    return body.results[0].relevance_score;
  };
  const first = await score('ab', 'c');
  expect(await score('a', 'bc')).not.toBe(first);
  expect(await score('ab', 'c')).toBe(first);
  expect(await server.stop()).toBe(0);
  expect(server.output()).toContain(': 1 items known, 2 computed.');
});

const redis = findRedisServer();
if (redis === undefined)
  console.log('No redis-server and no valkey-server here: the shared vector cache is not tried.');

test.skipIf(redis === undefined)(
  'servers share what one has computed, and serve without the shared cache',
  async () => {
    const port = await freePort();
    const store = await startRedisServer(redis ?? '', ['--port', String(port), '--requirepass', 'secret']);
    try {
      const flags = ['--model-id', EMBEDDER, '--vector-cache-url', `redis://:secret@127.0.0.1:${port}`];
      const one = start(...flags);
      const computed = await embed(one, TEXTS);
      expect(await one.stop()).toBe(0);
      const other = start(...flags);
      expect(await embed(other, TEXTS)).toEqual(computed);
      await store.stop();
      expect(await embed(other, TEXTS)).toHaveLength(3);
      expect(await other.stop()).toBe(0);
      expect(other.output()).toContain(': 3 items known, 3 computed.');
      expect(one.output() + other.output()).not.toContain('secret');
    } finally {
      await store.stop();
    }
  },
);
