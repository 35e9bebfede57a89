import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import { onMain, startHubServer } from '../fakes/hub/hub-server.ts';
import { repositoryFromFolder } from '../fakes/hub/repository-content.ts';
import { findRedisServer, freePort, startRedisServer } from '../fakes/redis-server.ts';
import { temporaryFolder } from '../fakes/temporary-folder.ts';
import { startOtlpReceiver } from './support/otlp-receiver.ts';
import { postJson } from './support/post-json.ts';
import { startForTest } from './support/start-for-test.ts';
import { MAIN, PROJECT_ROOT } from './support/start-server.ts';
import { watchSockets } from './support/watch-sockets.ts';

const GOLDEN = path.join(PROJECT_ROOT, 'test/golden/public');
const REPORT = new URL('./support/report-connections.mjs', import.meta.url).href;
const EMBEDDER = 'BAAI/bge-small-en-v1.5';
const RERANKER = path.join(GOLDEN, 'bert-reranker/model');

/** Each connection that a thread of the server's own process opens is printed, however short it is. */
const command = [process.execPath, '--import', REPORT, MAIN] as const;
const reportedPorts = (output: string) =>
  [...output.matchAll(/^CONNECTION .*:(\d*)$/gm)].map(([, port]) => Number(port));
const portOf = (url: string) => Number(new URL(url).port);

async function useEverything(url: string, embedder: string) {
  const statuses: number[] = [];
  for (const [route, body] of [
    ['/v1/embeddings', { model: embedder, input: ['one', 'two'] }],
    ['/v1/rerank', { model: 'reranker', query: 'q', documents: ['a', 'b'] }],
    ['/embed', { inputs: 'http://example.com/', model: embedder }],
    ['/tokenize', { inputs: 'one' }],
    ['/v1/embeddings', { model: embedder, input: 'https://example.com/a.png', modality: 'image' }],
    ['/v1/embeddings', { model: 'org/unknown', input: 'x' }],
  ] as const) {
    statuses.push((await postJson(url + route, body)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 400, 404]);
  for (const route of ['/health', '/ready', '/metrics', '/docs', '/openapi.json', '/v1/models', '/info']) {
    expect((await fetch(url + route)).status).toBe(200);
  }
}

it('a server that is told of no hub, cache or collector opens no connection, whatever it is asked', async () => {
  const server = startForTest({
    command: [...command],
    args: [
      '--model-id',
      EMBEDDER,
      '--model-id',
      RERANKER,
      '--served-model-name',
      EMBEDDER,
      '--served-model-name',
      'reranker',
    ],
    environment: { INFINITY_HOME: temporaryFolder(), HF_HUB_OFFLINE: '' },
  });
  const sockets = watchSockets(server.pid);
  const url = await server.ready();
  await useEverything(url, EMBEDDER);
  expect(await server.stop()).toBe(0);
  expect(sockets.stop(portOf(url))).toEqual([]);
  expect(reportedPorts(server.output())).toEqual([]);
});

it('of those that it is told of it opens no others', async () => {
  const home = temporaryFolder();
  const hub = await startHubServer({
    repositories: { 'org/tiny': onMain(repositoryFromFolder(path.join(GOLDEN, 'bert-mean/model'))) },
  });
  const collector = await startOtlpReceiver();
  const redisName = findRedisServer();
  if (redisName === undefined)
    console.log('A shared vector cache is not among them: there is no Redis or Valkey server.');
  const redisPort = await freePort();
  const redis = redisName === undefined ? undefined : await startRedisServer(redisName, ['--port', String(redisPort)]);
  const server = startForTest({
    command: [...command],
    args: [
      '--model-id',
      'org/tiny',
      '--model-id',
      RERANKER,
      '--served-model-name',
      'tiny',
      '--served-model-name',
      'reranker',
    ],
    environment: {
      INFINITY_HOME: home,
      HF_HOME: home,
      HF_HUB_OFFLINE: '',
      HF_ENDPOINT: hub.endpoint,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      ...(redis === undefined ? {} : { INFINITY_VECTOR_CACHE_URL: `redis://127.0.0.1:${redisPort}` }),
    },
  });
  const sockets = watchSockets(server.pid);
  const url = await server.ready();
  await useEverything(url, 'tiny');
  expect(await server.stop()).toBe(0);
  const allowed = new Set([...hub.hosts, collector.url].map(portOf).concat(redis === undefined ? [] : [redisPort]));
  const opened = reportedPorts(server.output());
  expect(new Set(opened)).toEqual(allowed);
  expect(sockets.stop(portOf(url)).filter((socket) => !allowed.has(Number(socket.split(' ')[1])))).toEqual([]);
  expect(collector.spans.length).toBeGreaterThan(0);
  collector.close();
  await redis?.stop();
  await hub.close();
});

it('a connection of a process below the watched one would be seen', async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const connecting = `require('node:net').connect(${port}, '127.0.0.1').on('error', () => {})`;
  const below = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(connecting)}])`;
  const parent = spawn(process.execPath, ['-e', below]);
  const sockets = watchSockets(parent.pid ?? 0);
  const [accepted] = await once(listener, 'connection');
  await new Promise((resolve) => setTimeout(resolve, 100));
  accepted.destroy();
  listener.close();
  await once(parent, 'exit');
  expect(sockets.stop()).toEqual([`tcp ${port}`]);
});
