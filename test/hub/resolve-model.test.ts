import { chmodSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { downloadModel } from '../../src/hub/download-model.ts';
import { readHubEnvironment } from '../../src/hub/hub-environment.ts';
import { resolveModel } from '../../src/hub/resolve-model.ts';
import { COMMIT, onMain } from '../fakes/hub/hub-server.ts';
import { repositoryOf } from '../fakes/hub/repository-content.ts';
import { EMBEDDER_FILES, type HubWorld, hubWorld } from './hub-fixture.ts';
import { becomeUnprivileged } from './unprivileged.ts';

const content = repositoryOf(EMBEDDER_FILES);
const repositories = { 'org/model': onMain(content) };
const withBundled = (world: HubWorld) => ({ ...world.options, useBundled: true });
const offline = (world: HubWorld) => ({
  ...withBundled(world),
  hub: { ...world.options.hub, offline: true },
});

test('a model is downloaded once and then comes from the cache without a request', async () => {
  const world = await hubWorld({ repositories });
  expect(await resolveModel('org/model', withBundled(world))).toMatchObject({ source: 'hub', commit: COMMIT });
  const before = world.server.requests.length;
  expect(await resolveModel('org/model', withBundled(world))).toMatchObject({ source: 'cache', commit: COMMIT });
  expect(world.server.requests).toHaveLength(before);
});

test('offline and cached: starts without a connection', async () => {
  const world = await hubWorld({ repositories });
  await downloadModel('org/model', 'main', world.options);
  await world.server.close();
  expect(await resolveModel('org/model', offline(world))).toMatchObject({
    source: 'cache',
    exact: true,
    commit: COMMIT,
  });
  expect(await resolveModel('org/model', { ...offline(world), revision: COMMIT })).toMatchObject({ commit: COMMIT });
});

test('offline and half cached: names what is missing', async () => {
  const world = await hubWorld({ repositories });
  const { path: snapshot } = await downloadModel('org/model', 'main', world.options);
  rmSync(path.join(snapshot, 'model.safetensors'));
  rmSync(path.join(snapshot, 'tokenizer.json'));
  await expect(resolveModel('org/model', offline(world))).rejects.toThrow(
    /revision 'main' is not whole \(model\.safetensors is missing; tokenizer\.json is missing\) in the cache/,
  );
});

test.each([
  ['model.safetensors', 5000],
  ['1_Pooling/config.json', 5],
  ['modules.json', 40],
])('a cached %s that was cut off is found at the start and fetched again', async (name, bytes) => {
  const world = await hubWorld({ repositories });
  const { path: snapshot } = await downloadModel('org/model', 'main', world.options);
  truncateSync(path.join(snapshot, name), bytes);
  expect(await resolveModel('org/model', withBundled(world))).toMatchObject({ source: 'hub' });
  expect(await resolveModel('org/model', withBundled(world))).toMatchObject({ source: 'cache' });
  expect(world.log.filter((line) => line.startsWith("WARNING: The cached copy of 'org/model'"))).toHaveLength(1);
});

test('a cache that may only be read, of another user, with an unreadable token file, serves what it has', async () => {
  const world = await hubWorld({ repositories });
  await downloadModel('org/model', 'main', world.options);
  await world.server.close();
  const home = path.dirname(world.cacheFolder);
  writeFileSync(path.join(home, 'token'), 'hf_secret');
  chmodSync(path.join(home, 'token'), 0o000);
  chmodSync(home, 0o555);
  becomeUnprivileged();
  const hub = readHubEnvironment({ HF_HOME: home });
  expect(hub.token).toBeUndefined();
  expect(await resolveModel('org/model', { ...withBundled(world), hub })).toMatchObject({ source: 'cache' });
});

test('a cache that cannot be written is named with the reason when something must be downloaded', async () => {
  const world = await hubWorld({ repositories });
  chmodSync(path.dirname(world.cacheFolder), 0o555);
  becomeUnprivileged();
  await expect(resolveModel('org/model', withBundled(world))).rejects.toThrow(
    /cannot be written: this user may not write there; HF_HOME or HF_HUB_CACHE names another folder/,
  );
});

test('an exact bundled copy goes before the hub, the cache before both', async () => {
  const id = 'BAAI/bge-small-en-v1.5';
  const world = await hubWorld({ repositories: { [id]: onMain(content) } });
  expect(await resolveModel(id, withBundled(world))).toMatchObject({ source: 'bundled', exact: true });
  expect(world.server.requests).toEqual([]);
  expect(await resolveModel(id, { ...withBundled(world), useBundled: false })).toMatchObject({ source: 'hub' });
  expect(await resolveModel(id, withBundled(world))).toMatchObject({ source: 'cache', commit: COMMIT });
});

test('a derived bundled copy stands in only when the hub cannot be had', async () => {
  const id = 'cross-encoder/ms-marco-MiniLM-L-12-v2';
  const unknown = await hubWorld({ repositories });
  await expect(resolveModel(id, withBundled(unknown))).rejects.toThrow(/there is no such repository/);
  const busy = await hubWorld({ repositories, fault: () => ({ status: 503 }) });
  expect(await resolveModel(id, withBundled(busy))).toMatchObject({ source: 'bundled', exact: false });
  expect(busy.server.requests).toHaveLength(1);
  expect(busy.log.join('\n')).toMatch(/WARNING: .*answered 503: try again later\. A bundled copy stands in\./);
  const there = await hubWorld({ repositories: { [id]: onMain(content) } });
  expect(await resolveModel(id, withBundled(there))).toMatchObject({ source: 'hub', exact: true });
});

test('the default cache folder is persistent and one variable moves it', () => {
  const home = readHubEnvironment({ XDG_CACHE_HOME: '/home/me/.cache' });
  expect(home.cacheFolder).toBe('/home/me/.cache/huggingface/hub');
  expect(readHubEnvironment({ HF_HOME: '/data' }).cacheFolder).toBe('/data/hub');
  expect(readHubEnvironment({ HF_HOME: '/data', HF_HUB_CACHE: '/other' }).cacheFolder).toBe('/other');
});

test('a snapshot without links, as Windows has it, is served too', async () => {
  const world = await hubWorld({ repositories });
  const root = path.join(world.cacheFolder, 'models--org--model');
  mkdirSync(path.join(root, 'refs'), { recursive: true });
  writeFileSync(path.join(root, 'refs/main'), COMMIT);
  for (const [name, { content: bytes }] of Object.entries(content)) {
    const target = path.join(root, 'snapshots', COMMIT, name);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, bytes);
  }
  expect(await resolveModel('org/model', offline(world))).toMatchObject({ source: 'cache' });
  symlinkSync('/nowhere', path.join(root, 'snapshots', COMMIT, 'extra.json'));
  expect(await resolveModel('org/model', offline(world))).toMatchObject({ source: 'cache' });
});

test('with an ONNX file asked for, that one comes with its weights, and is whole in the cache without a checkpoint', async () => {
  const onnx = repositoryOf({ ...EMBEDDER_FILES, 'onnx/model.onnx_data': Buffer.alloc(5000, 5) });
  const world = await hubWorld({ repositories: { 'org/onnx': onMain(onnx) } });
  const onnxFile = { named: undefined, precision: 'float32', cpuAbilities: [] } as const;
  const first = await resolveModel('org/onnx', { ...withBundled(world), onnxFile });
  expect(first.source).toBe('hub');
  expect(first.folder.files.filter((name) => /onnx|safetensors|bin/.test(name))).toEqual([
    'onnx/model.onnx',
    'onnx/model.onnx_data',
  ]);
  expect(await resolveModel('org/onnx', { ...offline(world), onnxFile })).toMatchObject({ source: 'cache' });
  await expect(resolveModel('org/onnx', offline(world))).rejects.toThrow(/model\.safetensors is missing/);
});
