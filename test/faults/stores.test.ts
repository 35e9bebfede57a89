// What can happen to the vector cache: requests are answered without it.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSamples } from '../../src/observability/metrics/testing/read-samples.ts';
import { postJson } from '../e2e/support/post-json.ts';
import { eventually } from '../e2e/support/process-tree.ts';
import { findRedisServer, freePort, startRedisServer } from '../fakes/redis-server.ts';
import { afterTest, EMBEDDER, newHome, startFaultyServer } from './support/faulty-server.ts';
import { MAY_MOUNT, mountedFolder } from './support/mounted-folder.ts';
import { embed, expectRight } from './support/requests.ts';

const ARGS = ['--model-id', EMBEDDER, '--served-model-name', 'model'];

const start = (args: readonly string[], home: string) =>
  startFaultyServer({ args: [...ARGS, ...args], environment: { INFINITY_HOME: home } });

/** What `/metrics` says of a store, over all its models. */
async function counts(url: string, store: string) {
  const samples = readSamples(await (await fetch(`${url}/metrics`)).text());
  const sum = (name: string) =>
    [...samples]
      .filter(([series]) => series.startsWith(`infinity_vector_cache_${name}`) && series.includes(`store="${store}"`))
      .reduce((total, [, count]) => total + count, 0);
  return { hits: sum('hits_total'), errors: sum('errors_total'), bypassed: sum('bypassed_total') };
}

/** All files under the folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile());
}

test('a disk cache that was damaged between two starts is rebuilt; no vector of it is wrong', async () => {
  const home = newHome();
  const first = start(['--vector-disk-cache'], home);
  const url = await first.ready();
  const texts = Array.from({ length: 20 }, (_, index) => `text ${index} query`);
  const { body } = await embed(url, texts);
  expect(await first.stop()).toBe(0);
  const files = filesIn(path.join(home, '.infinity_cache/vectors'));
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const bytes = readFileSync(file);
    for (let at = 40; at < bytes.length; at += 97) bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
    writeFileSync(file, bytes);
  }
  const second = start(['--vector-disk-cache'], home);
  const again = await embed(await second.ready(), texts);
  expect(again.status).toBe(200);
  expect(again.body.data).toEqual(body.data);
  await expect(embed(await second.url(), texts)).resolves.toMatchObject({ status: 200 });
  expect(await second.stop()).toBe(0);
});

test.skipIf(!MAY_MOUNT)(
  'a disk that is full stops the writing and not the serving',
  async () => {
    const home = mountedFolder('size=1200k');
    const server = start(['--vector-disk-cache'], home);
    const url = await server.ready();
    for (let round = 0; round < 30; round += 1) {
      // Ids, none of them a marker, since most words are one and the same to so small a vocabulary, and equal texts are one row.
      const input = Array.from({ length: 250 }, (_, index) => [
        10 + round,
        10 + Math.floor(index / 16),
        10 + (index % 16),
      ]);
      const { status } = await postJson(`${url}/v1/embeddings`, { model: 'model', input });
      expect(status).toBe(200);
    }
    await eventually(async () => (await counts(url, 'disk')).errors > 0, 20_000);
    await expectRight(url, await embed(url, 'text query', { 'cache-control': 'no-cache' }), 'text query');
    expect(server.output()).toMatch(/WARNING: .*vector/i);
    expect(await server.stop()).toBe(0);
  },
  60_000,
);

test.skipIf(!MAY_MOUNT)('a disk cache whose folder may only be read costs a warning and nothing else', async () => {
  const home = mountedFolder('ro');
  const server = start(['--vector-disk-cache'], home);
  await expectRight(await server.ready(), await embed(await server.url(), 'text query'), 'text query');
  expect(server.output()).toMatch(/WARNING: .*/);
  expect(await server.stop()).toBe(0);
});

const redis = findRedisServer();
if (redis === undefined) console.log('No redis-server and no valkey-server here: a lost Redis is not tried.');

describe.skipIf(redis === undefined)('a shared cache', () => {
  async function startStore(port: number) {
    const store = await startRedisServer(redis ?? '', ['--port', String(port)]);
    afterTest(() => store.stop());
    return store;
  }

  test('that is not there yet, is lost, and comes back: each request is answered, and the metrics tell', async () => {
    const port = await freePort();
    const server = start(['--vector-cache-url', `redis://127.0.0.1:${port}`], newHome());
    const url = await server.ready();
    await expectRight(url, await embed(url, 'text query'), 'text query');
    const first = await startStore(port);
    const isUsed = (known: number) => async () => {
      expect((await embed(url, 'title query')).status).toBe(200);
      return (await counts(url, 'redis')).hits > known;
    };
    await eventually(isUsed(0), 40_000);

    const { hits } = await counts(url, 'redis');
    await first.stop();
    for (let count = 0; count < 10; count += 1) expect((await embed(url, `text ${count}`)).status).toBe(200);
    await eventually(async () => {
      await embed(url, `text ${Math.random()}`);
      return (await counts(url, 'redis')).bypassed > 0;
    }, 20_000);

    await startStore(port);
    await eventually(isUsed(hits), 60_000);
    expect(await server.stop()).toBe(0);
    expect(server.output()).toMatch(/WARNING: .*redis/i);
  }, 120_000);
});
