import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { downloadModel } from '../../src/hub/download-model.ts';
import { listFiles } from '../../src/hub/list-files.ts';
import { COMMIT, type Fault, onMain } from '../fakes/hub/hub-server.ts';
import { repositoryOf } from '../fakes/hub/repository-content.ts';
import { EMBEDDER_FILES, hubWorld, NEEDED_FILES, WEIGHTS } from './hub-fixture.ts';

const content = repositoryOf(EMBEDDER_FILES);
const repositories = { 'org/model': onMain(content) };
const weightsBlob = content['model.safetensors']?.sha256 ?? '';

const isWeights = ({ path: url, host }: { path: string; host: string }) =>
  host === 'cdn' && url.includes('model.safetensors');

/** A fault for each of the first requests for the weights, in order. */
function faultsOfWeights(faults: readonly Fault[]) {
  const left = [...faults];
  return (request: { path: string; host: string }) => (isWeights(request) ? left.shift() : undefined);
}

test('only the needed files come into the cache, in the layout that Python shares', async () => {
  const { server, cacheFolder, options, log } = await hubWorld({ repositories });
  const { path: snapshot, commit } = await downloadModel('org/model', 'main', options);
  expect(commit).toBe(COMMIT);
  expect(snapshot).toBe(path.join(cacheFolder, 'models--org--model', 'snapshots', COMMIT));
  expect(await listFiles(snapshot)).toEqual(NEEDED_FILES);
  expect(readFileSync(path.join(cacheFolder, 'models--org--model/refs/main'), 'utf8')).toBe(COMMIT);
  expect(readlinkSync(path.join(snapshot, 'model.safetensors'))).toBe(`../../blobs/${weightsBlob}`);
  expect(readlinkSync(path.join(snapshot, '1_Pooling/config.json'))).toBe(
    `../../../blobs/${content['1_Pooling/config.json']?.blobId}`,
  );
  expect(readFileSync(path.join(snapshot, 'model.safetensors'))).toEqual(WEIGHTS);
  const blobs = readdirSync(path.join(cacheFolder, 'models--org--model/blobs'));
  expect(blobs).toHaveLength(NEEDED_FILES.length);
  expect(blobs.filter((name) => name.endsWith('.incomplete'))).toEqual([]);
  expect(server.requests.filter(({ path: url }) => /onnx|bin|h5|README/.test(url))).toEqual([]);
  expect(log.join('\n')).toMatch(
    new RegExp(`INFO: Downloading 'org/model' at commit ${COMMIT} from http://127.0.0.1:\\d+: 4 files, 16\\.\\d kB\\.`),
  );
});

test('the token goes to the hub and never to the host of the contents', async () => {
  const { server, options } = await hubWorld({ repositories, token: 'hf_secret' }, { HF_TOKEN: 'hf_secret' });
  await downloadModel('org/model', 'main', options);
  const seen = (host: string) =>
    new Set(server.requests.filter((one) => one.host === host).map((one) => one.authorization));
  expect(seen('hub')).toEqual(new Set(['Bearer hf_secret']));
  expect(seen('cdn')).toEqual(new Set([undefined]));
});

test('a second download asks for the description alone', async () => {
  const { server, options } = await hubWorld({ repositories });
  await downloadModel('org/model', 'main', options);
  const before = server.requests.length;
  await downloadModel('org/model', 'main', options);
  expect(server.requests.slice(before).map(({ path: url }) => url)).toEqual([
    '/api/models/org/model/revision/main?blobs=true',
  ]);
});

test.each([
  ['a tag', 'v1.0'],
  ['a branch with a slash', 'refs/pr/3'],
])('%s is kept under its own name', async (_name, revision) => {
  const repository = { refs: { [revision]: COMMIT }, commits: { [COMMIT]: content } };
  const { cacheFolder, options } = await hubWorld({ repositories: { 'org/model': repository } });
  expect((await downloadModel('org/model', revision, options)).commit).toBe(COMMIT);
  expect(readFileSync(path.join(cacheFolder, 'models--org--model/refs', revision), 'utf8')).toBe(COMMIT);
});

test('a commit needs no name of its own', async () => {
  const { cacheFolder, options } = await hubWorld({ repositories });
  await downloadModel('org/model', COMMIT, options);
  expect(existsSync(path.join(cacheFolder, 'models--org--model/refs'))).toBe(false);
});

test('a renamed repository is followed', async () => {
  const { options } = await hubWorld({ repositories, renamed: { 'old/name': 'org/model' } });
  const { path: snapshot } = await downloadModel('old/name', 'main', options);
  expect(await listFiles(snapshot)).toEqual(NEEDED_FILES);
  expect(snapshot).toContain('models--old--name');
});

test('a cut connection is continued where it broke', async () => {
  const fault = faultsOfWeights([{ cutAfter: 5000 }, { cutAfter: 4000 }]);
  const { server, options, waits } = await hubWorld({ repositories, fault });
  const { path: snapshot } = await downloadModel('org/model', 'main', options);
  expect(readFileSync(path.join(snapshot, 'model.safetensors'))).toEqual(WEIGHTS);
  expect(server.requests.filter(isWeights).map(({ range }) => range)).toEqual([
    undefined,
    'bytes=5000-',
    'bytes=9000-',
  ]);
  expect(waits).toHaveLength(2);
});

test('a connection that stands still is given up and continued', async () => {
  const fault = faultsOfWeights([{ stallAfter: 5000 }]);
  const { server, options } = await hubWorld({ repositories, fault }, { HF_HUB_DOWNLOAD_TIMEOUT: '0.3' });
  const { path: snapshot } = await downloadModel('org/model', 'main', options);
  expect(readFileSync(path.join(snapshot, 'model.safetensors'))).toEqual(WEIGHTS);
  expect(server.requests.filter(isWeights).map(({ range }) => range)).toEqual([undefined, 'bytes=5000-']);
});

test('a download that was killed is continued by the next one', async () => {
  const fault = faultsOfWeights([{ cutAfter: 6000 }]);
  const { server, cacheFolder, options, log } = await hubWorld({ repositories, fault });
  await expect(downloadModel('org/model', 'main', { ...options, attempts: 1 })).rejects.toThrow(
    /connection was cut|ended early/,
  );
  expect(lstatSync(path.join(cacheFolder, `models--org--model/blobs/${weightsBlob}.incomplete`)).size).toBe(6000);
  expect(existsSync(path.join(cacheFolder, 'models--org--model/refs/main'))).toBe(false);
  const { path: snapshot } = await downloadModel('org/model', 'main', options);
  expect(readFileSync(path.join(snapshot, 'model.safetensors'))).toEqual(WEIGHTS);
  expect(server.requests.filter(isWeights).at(-1)?.range).toBe('bytes=6000-');
  expect(log.join('\n')).toMatch(/of them still to come/);
});

test('a server without ranges sends the file from its start', async () => {
  const fault = faultsOfWeights([{ cutAfter: 6000 }, { ignoreRange: true }]);
  const { options } = await hubWorld({ repositories, fault });
  const { path: snapshot } = await downloadModel('org/model', 'main', options);
  expect(readFileSync(path.join(snapshot, 'model.safetensors'))).toEqual(WEIGHTS);
});

test('a server that always cuts at one place is given up in the end', async () => {
  const fault = (request: { path: string; host: string; range: string | undefined }) =>
    isWeights(request) ? { cutAfter: 5000, ignoreRange: true as const } : undefined;
  const { server, options } = await hubWorld({ repositories, fault });
  await expect(downloadModel('org/model', 'main', { ...options, attempts: 3 })).rejects.toThrow(/cannot be reached/);
  expect(server.requests.filter(isWeights)).toHaveLength(3);
});

test('content that does not have the stated digest is never trusted', async () => {
  const once = await hubWorld({ repositories, fault: faultsOfWeights([{ corrupt: true }]) });
  const { path: snapshot } = await downloadModel('org/model', 'main', once.options);
  expect(readFileSync(path.join(snapshot, 'model.safetensors'))).toEqual(WEIGHTS);

  const always = await hubWorld({
    repositories,
    fault: (request) => (isWeights(request) ? { corrupt: true } : undefined),
  });
  await expect(downloadModel('org/model', 'main', always.options)).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringMatching(/expected sha256 [0-9a-f]{64} for 'model\.safetensors', got other content twice/),
  });
  expect(existsSync(path.join(always.cacheFolder, `models--org--model/blobs/${weightsBlob}`))).toBe(false);
});

test.each([
  ['truncated', WEIGHTS.subarray(0, 100)],
  ['damaged', Buffer.alloc(WEIGHTS.length, 1)],
])('a cached file that is %s is fetched again', async (_name, damaged) => {
  const { server, cacheFolder, options } = await hubWorld({ repositories });
  const { path: snapshot } = await downloadModel('org/model', 'main', options);
  writeFileSync(path.join(cacheFolder, `models--org--model/blobs/${weightsBlob}`), damaged);
  await downloadModel('org/model', 'main', options);
  expect(readFileSync(path.join(snapshot, 'model.safetensors'))).toEqual(WEIGHTS);
  expect(server.requests.filter(isWeights)).toHaveLength(2);
});

test('429 and 5xx are tried again with longer waits, as long as the hub asks', async () => {
  const faults: Fault[] = [
    { status: 503 },
    { status: 500 },
    { status: 429, headers: { 'retry-after': '7' } },
    { status: 502 },
  ];
  const { options, waits, log } = await hubWorld({
    repositories,
    fault: ({ path: url }) => (url.startsWith('/api/') ? faults.shift() : undefined),
  });
  await downloadModel('org/model', 'main', options);
  const [first = 0, second = 0, third, fourth = 0] = waits;
  expect(waits).toHaveLength(4);
  expect(first).toBeLessThan(second + 1e-9 + 500);
  expect(third).toBe(7000);
  expect(fourth).toBeGreaterThanOrEqual(2000);
  expect(log.filter((line) => line.includes('answered 429: too many requests'))).toHaveLength(1);
});

test.each([
  [429, /answered 429: too many requests; wait, or set HF_TOKEN/],
  [503, /answered 503: try again later/],
])('a hub that only answers %i is given up in the end', async (status, message) => {
  const { options, waits } = await hubWorld({ repositories, fault: () => ({ status }) });
  await expect(downloadModel('org/model', 'main', options)).rejects.toMatchObject({
    code: 'model_unavailable',
    unreachable: true,
    message: expect.stringMatching(message),
  });
  expect(waits).toHaveLength(6);
});

const secret = { token: 'hf_good' };
test.each([
  [
    'an unknown repository',
    'org/nowhere',
    'main',
    {},
    {},
    /answered 401: there is no such repository, or it is private and needs HF_TOKEN/,
  ],
  [
    'an unknown repository, with a token',
    'org/nowhere',
    'main',
    secret,
    { HF_TOKEN: 'hf_good' },
    /answered 404: there is no such repository, or the account of HF_TOKEN may not see it/,
  ],
  ['a private repository', 'org/private', 'main', {}, {}, /it is private and needs HF_TOKEN/],
  [
    'a gated repository',
    'org/gated',
    'main',
    {},
    {},
    /'org\/gated' is gated \(http:\S+ answered 401\): see http:\S+\/org\/gated; ask for access on that page, then set HF_TOKEN/,
  ],
  [
    'a wrong token',
    'org/model',
    'main',
    secret,
    { HF_TOKEN: 'hf_bad' },
    /answered 401: the token is not valid; renew HF_TOKEN/,
  ],
  [
    'an unknown revision',
    'org/model',
    'v9',
    {},
    {},
    /expected revision 'v9', got http:\S+ answered 404: there is none of that name/,
  ],
  [
    'a repository without weights',
    'org/onnx',
    'main',
    {},
    {},
    /expected model\.safetensors or pytorch_model\.bin in the repository, got onnx\/model\.onnx/,
  ],
])('%s is refused with what to do', async (_name, id, revision, hub, environment, message) => {
  const all = {
    ...repositories,
    'org/private': onMain(content, { private: true }),
    'org/gated': onMain(content, { gated: true }),
    'org/onnx': onMain(repositoryOf({ 'config.json': {}, 'onnx/model.onnx': 'x' })),
  };
  const { options, waits } = await hubWorld({ repositories: all, ...hub }, environment);
  await expect(downloadModel(id, revision, options)).rejects.toMatchObject({
    code: 'model_unavailable',
    message: expect.stringMatching(message),
  });
  expect(waits).toEqual([]);
});

test('a gated repository is downloaded with the token of an account that has access', async () => {
  const gated = { 'org/gated': onMain(content, { gated: true }) };
  const { options } = await hubWorld({ repositories: gated, token: 'hf_good' }, { HF_TOKEN: 'hf_good' });
  expect(await downloadModel('org/gated', 'main', options)).toMatchObject({ commit: COMMIT });
});

test('no network is said so, after tries', async () => {
  const { server, options, waits } = await hubWorld({ repositories });
  await server.close();
  await expect(downloadModel('org/model', 'main', options)).rejects.toMatchObject({
    unreachable: true,
    message: expect.stringMatching(/http:\S+ cannot be reached \(the connection is refused\)/),
  });
  expect(waits.length).toBeGreaterThan(2);
});

test('an endpoint that is no hub is told apart', async () => {
  const { options } = await hubWorld({ repositories });
  const elsewhere = await hubWorld({ repositories: {} });
  const hub = { ...options.hub, endpoint: `${elsewhere.server.endpoint}/somewhere` };
  await expect(downloadModel('org/model', 'main', { ...options, hub })).rejects.toThrow(/model 'org\/model'/);
});

test('two downloads at once fetch each file once', async () => {
  const { server, options } = await hubWorld({ repositories });
  await Promise.all([downloadModel('org/model', 'main', options), downloadModel('org/model', 'main', options)]);
  expect(server.requests.filter(isWeights)).toHaveLength(1);
});

test('a repository that names a file outside of its folder is refused', async () => {
  const evil = repositoryOf({ ...EMBEDDER_FILES, 'modules.json': [{ path: '../../x', type: 'a.Pooling' }] });
  const { options } = await hubWorld({ repositories: { 'org/evil': onMain(evil) } });
  await expect(downloadModel('org/evil', 'main', options)).rejects.toThrow(/to stay inside the model folder/);
});

test('a download that is called off ends at once and says so', async () => {
  const { options } = await hubWorld({ repositories, fault: faultsOfWeights([{ stallAfter: 100 }]) });
  const ending = new AbortController();
  const onBytes = createAbortOnProgress(ending);
  await expect(
    downloadModel('org/model', 'main', { ...options, signal: ending.signal, progress: onBytes }),
  ).rejects.toMatchObject({
    code: 'shutting_down',
  });
});

function createAbortOnProgress(ending: AbortController) {
  return { start: () => ({ set: (done: number) => (done > 100 ? ending.abort() : undefined), end: () => undefined }) };
}
