import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { onMain, startHubServer } from '../fakes/hub/hub-server.ts';
import { repositoryFromFolder } from '../fakes/hub/repository-content.ts';
import { getJson, postJson } from './support/post-json.ts';
import { eventually, isAlive, lanePids, processTree } from './support/process-tree.ts';
import { type ServerOptions, type ServerProcess, startServer } from './support/start-server.ts';

const EMBEDDER = 'BAAI/bge-small-en-v1.5';
const golden = (name: string) => fileURLToPath(new URL(`../golden/public/${name}/model`, import.meta.url));
/** Two small models, each of which is estimated at 158 MB. */
const TWO_MODELS = ['--model-id', golden('bert-mean'), '--served-model-name', 'a'].concat([
  '--model-id',
  golden('bert-cls-norm'),
  '--served-model-name',
  'b',
]);
const ROOM_FOR_ONE = '170000000';

const servers: ServerProcess[] = [];
const folders: string[] = [];
function start(options: ServerOptions): ServerProcess {
  const server = startServer(options);
  servers.push(server);
  return server;
}
afterEach(async () => {
  for (const server of servers.splice(0)) {
    for (const pid of processTree(server.pid).reverse()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await server.exited;
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const embed = (url: string, model: string, input: unknown = 'x') => postJson(`${url}/v1/embeddings`, { model, input });

/** State of each model, in their order. */
async function states(url: string): Promise<string[]> {
  const { body } = await getJson(`${url}/v1/models`);
  return body.data.map(({ state }: { state: string }) => state);
}

describe('models that are loaded for their first request', () => {
  it('have no process until then; the server is ready all the same, and knows what they can do', async () => {
    const server = start({ args: [...TWO_MODELS, '--lazy-load'] });
    const url = await server.ready();
    expect(lanePids(server.pid)).toEqual([]);
    expect((await getJson(`${url}/ready`)).status).toBe(200);
    const refused = await postJson(`${url}/rerank`, { model: 'a', query: 'q', documents: ['d'] });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'capability_missing']);
    expect(await states(url)).toEqual(['unloaded', 'unloaded']);
    const replies = await Promise.all([embed(url, 'b'), embed(url, 'b')]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(await states(url)).toEqual(['unloaded', 'ready']);
    expect(lanePids(server.pid)).toHaveLength(1);
    expect(await server.stop()).toBe(0);
  });

  it('give way to each other within --max-memory: no request is lost, and no process stays', async () => {
    const server = start({ args: [...TWO_MODELS, '--lazy-load', '--max-memory', ROOM_FOR_ONE] });
    const url = await server.ready();
    expect((await embed(url, 'a')).status).toBe(200);
    const [first = -1] = lanePids(server.pid);
    const texts = Array.from({ length: 32 }, (_, index) => `text ${index}`);
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) => embed(url, index % 4 === 0 ? 'b' : 'a', texts)),
    );
    expect(replies.filter(({ status }) => status !== 200)).toEqual([]);
    expect(server.output()).toContain("Model 'a' has been dropped: another one needs its memory.");
    await eventually(() => !isAlive(first));
    expect(await server.stop()).toBe(0);
  });

  it('one that does not fit even alone says so', async () => {
    const server = start({ args: ['--model-id', golden('bert-mean'), '--max-memory', '1000000'] });
    expect((await server.exited).code).toBe(3);
    expect(server.output()).toMatch(/needs about \d+ MB, and --max-memory allows 1 MB/);
  });
});

describe('a model that cannot be loaded', () => {
  it('is tried again on SIGUSR2', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'lifecycle-'));
    folders.push(folder);
    const missing = path.join(folder, 'model');
    const args = [...TWO_MODELS, '--model-id', missing, '--served-model-name', 'c'];
    const server = start({ args });
    const url = await server.ready();
    const { data } = (await getJson(`${url}/v1/models`)).body;
    expect(data[2]).toMatchObject({ state: 'failed', reason: expect.stringContaining(missing) });
    const refused = await embed(url, 'c');
    expect([refused.status, refused.body.error.code]).toEqual([503, 'model_failed']);
    expect((await embed(url, 'a')).status).toBe(200);
    cpSync(golden('bert-mean'), missing, { recursive: true });
    server.child.kill('SIGUSR2');
    await server.waitFor("Model 'c' is ready.");
    expect((await embed(url, 'c')).status).toBe(200);
    expect(await server.stop()).toBe(0);
  });

  it('ends the server with --fail-fast, although others could be served', async () => {
    const missing = '/nowhere/at/all';
    const server = start({ args: [...TWO_MODELS, '--model-id', missing, '--served-model-name', 'c', '--fail-fast'] });
    expect((await server.exited).code).toBe(3);
    expect(server.output()).toMatch(/ERROR: Model '\/nowhere\/at\/all' cannot be served/);
    await eventually(() => lanePids(server.pid).length === 0);
  });
});

describe('a hub that is down at the start', () => {
  it('does not end the server: it is alive, not ready, tries again by itself, and serves once the hub is back', async () => {
    let isDown = true;
    const hub = await startHubServer({
      repositories: { 'org/tiny': onMain(repositoryFromFolder(golden('bert-mean'))) },
      fault: () => (isDown ? { status: 503, headers: { 'retry-after': '0' } } : undefined),
    });
    const home = mkdtempSync(path.join(tmpdir(), 'lifecycle-'));
    folders.push(home);
    const environment = { HF_HOME: home, HF_HUB_OFFLINE: '', HF_ENDPOINT: hub.endpoint };
    const server = start({ environment, args: ['--model-id', 'org/tiny'] });
    const url = await server.url();
    await server.waitFor(/Model 'org\/tiny' cannot be served yet, it is tried again in 10 s: .*answered 503/);
    expect((await getJson(`${url}/health`)).status).toBe(200);
    const { status, body } = await getJson(`${url}/ready`);
    expect([status, body.models[0].state]).toEqual([503, 'failed']);
    expect(body.models[0].retry_in_s).toBeGreaterThan(0);
    const refused = await embed(url, 'org/tiny');
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(server.output()).not.toContain('Application startup complete');
    isDown = false;
    server.child.kill('SIGUSR2');
    await server.ready();
    expect((await getJson(`${url}/ready`)).status).toBe(200);
    expect((await embed(url, 'org/tiny')).status).toBe(200);
    expect(await server.stop()).toBe(0);
    await hub.close();
  });

  it('ends the server with --fail-fast', async () => {
    const hub = await startHubServer({
      repositories: {},
      fault: () => ({ status: 503, headers: { 'retry-after': '0' } }),
    });
    const environment = { HF_HOME: tmpdir(), HF_HUB_OFFLINE: '', HF_ENDPOINT: hub.endpoint };
    const server = start({ environment, args: ['--model-id', 'org/tiny', '--fail-fast'] });
    expect((await server.exited).code).toBe(3);
    await hub.close();
  });
});

describe('the end of a server', () => {
  const long = (texts: number) => Array.from({ length: texts }, (_, index) => `${index} ${'word '.repeat(600)}`);

  /** Resolves once the embedder has a run in hand. */
  async function busy(url: string): Promise<void> {
    await eventually(async () => {
      const { data } = (await getJson(`${url}/v1/models`)).body;
      return data[0].stats.results_pending > 0 && data[0].stats.queue_absolute > 0;
    });
  }

  it('new requests are refused with 503 and their connection closed, while those in hand finish [VLLM PR 36666]', async () => {
    const server = start({ args: ['--model-id', EMBEDDER] });
    const url = await server.ready();
    const inHand = embed(url, EMBEDDER, long(16));
    await busy(url);
    server.child.kill('SIGTERM');
    await server.waitFor('Received SIGTERM');
    const late = await embed(url, EMBEDDER);
    expect([late.status, late.body.error.code]).toEqual([503, 'shutting_down']);
    expect(late.headers.get('connection')).toBe('close');
    expect((await getJson(`${url}/ready`)).status).toBe(503);
    expect((await getJson(`${url}/health`)).status).toBe(200);
    expect((await inHand).status).toBe(200);
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  it('what is not finished within --shutdown-grace is answered with 503, and nothing is left', async () => {
    const server = start({ args: ['--model-id', EMBEDDER, '--shutdown-grace', '0'] });
    const url = await server.ready();
    const inHand = embed(url, EMBEDDER, long(64));
    await busy(url);
    const lanes = lanePids(server.pid);
    server.child.kill('SIGTERM');
    const { status, body } = await inHand;
    expect([status, body.error.code]).toEqual([503, 'shutting_down']);
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(lanes.filter(isAlive)).toEqual([]);
  });
});
