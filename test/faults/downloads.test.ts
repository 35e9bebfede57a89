// What can happen while a model comes from the hub, and to what has come.
import { readdirSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../e2e/support/process-tree.ts';
import { type Fault, type HubRequest, onMain, startHubServer } from '../fakes/hub/hub-server.ts';
import { repositoryFromFolder } from '../fakes/hub/repository-content.ts';
import { afterTest, EMBEDDER, newHome, startFaultyServer } from './support/faulty-server.ts';
import { embed } from './support/requests.ts';

const WEIGHTS = 'model.safetensors';
const BEFORE_SILENCE = 20_000;
const isWeights = ({ host, method, path: asked }: HubRequest) =>
  host === 'cdn' && method === 'GET' && asked.includes(WEIGHTS);

async function hubWith(fault: (request: HubRequest) => Fault | undefined) {
  const hub = await startHubServer({ repositories: { 'org/tiny': onMain(repositoryFromFolder(EMBEDDER)) }, fault });
  afterTest(() => hub.close());
  return hub;
}

const startFrom = (endpoint: string, home: string) =>
  startFaultyServer({
    args: ['--model-id', 'org/tiny', '--served-model-name', 'model'],
    environment: { INFINITY_HOME: home, HF_HOME: home, HF_HUB_OFFLINE: '', HF_ENDPOINT: endpoint },
  });

/** Files of the hub's cache by their content, whatever name leads to them. */
const blobsIn = (home: string) => {
  const folder = path.join(home, 'hub/models--org--tiny/blobs');
  return readdirSync(folder).map((name) => path.join(folder, name));
};

test('a download that is killed is continued by the next start where it ended, and the model is served', async () => {
  const home = newHome();
  let silent = true;
  const hub = await hubWith((request) => (silent && isWeights(request) ? { stallAfter: BEFORE_SILENCE } : undefined));
  const killed = startFrom(hub.endpoint, home);
  await killed.url();
  await eventually(() => hub.requests.some(isWeights), 20_000);
  await eventually(() =>
    blobsIn(home).some((file) => file.endsWith('.incomplete') && statSync(file).size === BEFORE_SILENCE),
  );
  killed.child.kill('SIGKILL');
  await killed.exited;
  silent = false;
  const before = hub.requests.length;
  const server = startFrom(hub.endpoint, home);
  expect((await embed(await server.ready(), 'text query')).status).toBe(200);
  const continued = hub.requests.slice(before).find(isWeights);
  expect(continued?.range).toBe(`bytes=${BEFORE_SILENCE}-`);
  expect(blobsIn(home).filter((file) => file.endsWith('.incomplete'))).toEqual([]);
});

test('a file of the cache that was cut off is fetched again', async () => {
  const home = newHome();
  const hub = await hubWith(() => undefined);
  const first = startFrom(hub.endpoint, home);
  const sound = await embed(await first.ready(), 'text query');
  expect(await first.stop()).toBe(0);
  const [largest = ''] = blobsIn(home).sort((a, b) => statSync(b).size - statSync(a).size);
  truncateSync(largest, 1000);
  const server = startFrom(hub.endpoint, home);
  const { status, body } = await embed(await server.ready(), 'text query');
  expect([status, body.data]).toEqual([200, sound.body.data]);
  expect(statSync(largest).size).toBeGreaterThan(1000);
});

test('content that is not what the hub says it is is never served', async () => {
  const hub = await hubWith((request) => (isWeights(request) ? { corrupt: true } : undefined));
  const server = startFrom(hub.endpoint, newHome());
  expect((await server.exited).code).toBe(3);
  expect(server.output()).toMatch(/ERROR: .*sha256/);
}, 120_000);
