import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, request } from 'undici';
import { expect, it } from 'vitest';
import { onMain, startHubServer } from '../fakes/hub/hub-server.ts';
import { repositoryFromFolder } from '../fakes/hub/repository-content.ts';
import { temporaryFolder } from '../fakes/temporary-folder.ts';
import { getJson, postJson } from './support/post-json.ts';
import { startForTest } from './support/start-for-test.ts';
import { MAIN } from './support/start-server.ts';

// What users of such servers have reported about loading models, offline use and configuration.

const TINY = fileURLToPath(new URL('../golden/public/bert-mean/model', import.meta.url));
const REPORT = new URL('./support/report-connections.mjs', import.meta.url).href;
const CONNECTION = /^CONNECTION .*$/gm;

/** Prints the connections that it opens. */
const watched = (environment: Readonly<Record<string, string>>, args: readonly string[] = []) =>
  startForTest({ command: [process.execPath, '--import', REPORT, MAIN], environment, args });

it('a local folder as model id is served without touching the hub', async () => {
  const running = watched({ HF_HUB_OFFLINE: '', HF_ENDPOINT: 'http://127.0.0.1:9' }, ['--model-id', TINY]);
  const url = await running.ready();
  expect((await postJson(`${url}/v1/embeddings`, { input: 'hi' })).status).toBe(200);
  expect(running.output().match(CONNECTION)).toBeNull();
});

it('a git clone without Git LFS gets a message that says what to do', async () => {
  const clone = path.join(temporaryFolder(), 'model');
  cpSync(TINY, clone, { recursive: true });
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 133466304\n`;
  writeFileSync(path.join(clone, 'model.safetensors'), pointer);
  const running = startForTest({ args: ['--model-id', clone] });
  expect((await running.exited).code).toBe(3);
  expect(running.output()).toMatch(/got a Git LFS pointer to it; run 'git lfs pull' in the model folder/);
});

it('offline and cached: starts with no connection at all; and without the switch as well', async () => {
  const home = temporaryFolder();
  const hub = await startHubServer({ repositories: { 'org/tiny': onMain(repositoryFromFolder(TINY)) } });
  const environment = { HF_HOME: home, HF_ENDPOINT: hub.endpoint, HF_HUB_OFFLINE: '' };
  const filling = watched(environment, ['--model-id', 'org/tiny', '--preload-only']);
  expect((await filling.exited).code).toBe(0);
  expect(filling.output().match(CONNECTION)).not.toBeNull();
  await hub.close();
  for (const offline of ['1', '']) {
    const running = watched({ ...environment, HF_HUB_OFFLINE: offline }, ['--model-id', 'org/tiny']);
    const url = await running.ready();
    expect((await postJson(`${url}/v1/embeddings`, { input: 'hi' })).status).toBe(200);
    expect(running.output().match(CONNECTION)).toBeNull();
    expect(await running.stop()).toBe(0);
  }
});

it('offline and not cached: ends with 3 and names what is missing', async () => {
  const running = startForTest({ args: ['--model-id', 'org/nowhere'] });
  expect((await running.exited).code).toBe(3);
  expect(running.output()).toMatch(
    /model 'org\/nowhere': revision 'main' is not there in the cache '\S+', and HF_HUB_OFFLINE/,
  );
});

it('nothing is sent to anybody: a start from bundled copies opens no connection', async () => {
  const running = watched({ HF_HUB_OFFLINE: '', INFINITY_MODEL_ID: 'BAAI/bge-small-en-v1.5' });
  await running.ready();
  expect(running.output().match(CONNECTION)).toBeNull();
});

it('the key of the environment is asked for, but not by probes', async () => {
  const running = startForTest({ environment: { INFINITY_API_KEY: 'k', INFINITY_MODEL_ID: TINY } });
  const url = await running.ready();
  expect((await postJson(`${url}/v1/embeddings`, { input: 'hi' })).status).toBe(401);
  expect((await getJson(`${url}/health`)).status).toBe(200);
  expect((await getJson(`${url}/ready`)).status).toBe(200);
});

it('the help needs nothing but itself', async () => {
  const running = watched({ INFINITY_ENGINE: 'of another version' }, ['--help']);
  expect((await running.exited).code).toBe(0);
  expect(running.output()).toMatch(/--model-id <id>/);
});

it('a server on a Unix socket answers there', async () => {
  const socket = path.join(temporaryFolder(), 'infinity.sock');
  const running = startForTest({ args: ['--model-id', TINY, '--unix-socket', socket] });
  await running.waitFor('Application startup complete. Ready for requests.');
  const client = new Client('http://localhost', { socketPath: socket });
  const { statusCode } = await request('http://localhost/health', { dispatcher: client });
  await client.close();
  expect(statusCode).toBe(200);
  expect(running.output()).toContain(`INFO: Started server process on unix:${socket}`);
});
