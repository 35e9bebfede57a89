import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMIT, type HubServer, onMain, startHubServer } from '../fakes/hub/hub-server.ts';
import { repositoryFromFolder } from '../fakes/hub/repository-content.ts';
import { maxAbsDifference } from './support/max-abs-difference.ts';
import { getJson, postJson } from './support/post-json.ts';
import { READY_LINE, type ServerProcess, startServer } from './support/start-server.ts';

const EMBEDDER = 'BAAI/bge-small-en-v1.5';
const RERANKER = 'BAAI/bge-reranker-base';
const KEY = 'the key of the acceptance test';
const auth = { authorization: `Bearer ${KEY}` };

/** What INFINITY_DTYPE may say, and how far vectors and scores may then be from the references in float32. */
const DTYPES = [
  { dtype: 'float32', tolerance: 1e-4 },
  { dtype: 'float16', tolerance: 2e-3 },
  { dtype: 'int8', tolerance: 0.02 },
] as const;

/** A Python with the official client: `HUB_PYTHON=/path/to/python`. */
const { HUB_PYTHON } = process.env;
if (HUB_PYTHON === undefined) console.log("OpenAI's Python client is not tried: HUB_PYTHON is not set.");

const folderOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const readJson = (name: string) => JSON.parse(readFileSync(folderOf(name), 'utf8'));
const embeddings = readJson('test/golden/real/bge-small-en-v1.5.json').cases.slice(0, 4);
const pairs = readJson('test/golden/public/xlmr-reranker/expected.json').cases.filter(({ id }: { id: string }) =>
  ['short', 'batch'].includes(id),
);

/** All that a user of the original has in the environment of the container. */
const ENVIRONMENT = {
  INFINITY_MODEL_ID: `${EMBEDDER};${RERANKER}`,
  INFINITY_BATCH_SIZE: '64',
  INFINITY_API_KEY: KEY,
};

let hub: HubServer;
const homes: string[] = [];
const started: ServerProcess[] = [];

beforeAll(async () => {
  hub = await startHubServer({
    repositories: {
      [EMBEDDER]: onMain(repositoryFromFolder(folderOf('models/bge-small-en-v1.5'))),
      [RERANKER]: onMain(repositoryFromFolder(folderOf('test/golden/public/xlmr-reranker/model'))),
    },
  });
});
afterAll(async () => {
  for (const server of started) await server.stop();
  await hub.close();
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

function newHome(): string {
  const home = mkdtempSync(path.join(tmpdir(), 'acceptance-'));
  homes.push(home);
  return home;
}

function start(home: string, dtype: string, rest: Readonly<Record<string, string>> = {}): ServerProcess {
  const environment = { ...ENVIRONMENT, INFINITY_DTYPE: dtype, HF_HOME: home, HF_ENDPOINT: hub.endpoint, ...rest };
  const server = startServer({ environment: { HF_HUB_OFFLINE: '', ...environment } });
  started.push(server);
  return server;
}

/** Compiling for int8 calibrates: on a busy machine longer than a start may usually take. */
async function readyUrl(server: ServerProcess): Promise<string> {
  await server.waitFor(READY_LINE, 100_000);
  return server.url();
}

const cached = (home: string, id: string) => existsSync(path.join(home, 'hub', `models--${id.replace('/', '--')}`));

/** Everything that a client of the original does. */
async function expectService(url: string, tolerance: number): Promise<void> {
  const body = { model: EMBEDDER, input: embeddings.map((row: { text: string }) => row.text) };
  const rerank = { model: RERANKER, top_n: 2 };
  for (const [route, request] of [
    ['/v1/embeddings', body],
    ['/v1/rerank', { ...rerank, query: 'q', documents: ['d'] }],
    ['/rerank', { ...rerank, query: 'q', documents: ['d'] }],
  ] as const) {
    expect((await postJson(url + route, request)).status).toBe(401);
  }
  const { status, body: reply } = await postJson(`${url}/v1/embeddings`, body, auth);
  expect(status).toBe(200);
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: KEY });
  const official = await client.embeddings.create(body);
  for (const [index, row] of embeddings.entries()) {
    expect(maxAbsDifference(reply.data[index]?.embedding ?? [], row.embedding)).toBeLessThan(tolerance);
    expect(maxAbsDifference(official.data[index]?.embedding ?? [], row.embedding)).toBeLessThan(tolerance);
  }
  for (const { inputs, output } of pairs) {
    for (const [index, { query, document }] of inputs.pairs.entries()) {
      const documents = ['short', document, 'another document'];
      const ranked = await postJson(`${url}/v1/rerank`, { ...rerank, query, documents }, auth);
      expect(ranked.status).toBe(200);
      expect(ranked.body.results).toHaveLength(2);
      const all = await postJson(`${url}/v1/rerank`, { ...rerank, top_n: 3, query, documents }, auth);
      const found = all.body.results.find((row) => row.index === 1)?.relevance_score ?? Number.NaN;
      expect(Math.abs(found - output.predict[index])).toBeLessThan(tolerance);
    }
  }
  if (HUB_PYTHON !== undefined) await expectPythonClient(url, tolerance);
}

async function expectPythonClient(url: string, tolerance: number): Promise<void> {
  const program = [
    'import json, sys; from openai import OpenAI',
    'url, key, model, text = sys.argv[1:]',
    'reply = OpenAI(base_url=url, api_key=key).embeddings.create(model=model, input=[text])',
    'print(json.dumps(reply.data[0].embedding))',
  ].join('\n');
  const [row] = embeddings;
  const given = ['-c', program, `${url}/v1`, KEY, EMBEDDER, row.text];
  const { stdout } = await promisify(execFile)(HUB_PYTHON ?? '', given);
  expect(maxAbsDifference(JSON.parse(stdout), row.embedding)).toBeLessThan(tolerance);
}

describe.each(DTYPES)(
  'a user of the original changes the image name and nothing else: $dtype',
  ({ dtype, tolerance }) => {
    const home = newHome();

    it('downloads into HF_HOME what is not bundled, and serves both models', async () => {
      const server = start(home, dtype);
      const url = await readyUrl(server);
      expect(server.output()).toMatch(/^INFO: Started server process on http:\/\/127\.0\.0\.1:\d+$/m);
      expect(server.output().split('\n')).toContain(READY_LINE);
      expect([cached(home, EMBEDDER), cached(home, RERANKER)]).toEqual([false, true]);
      expect(server.output()).toContain(`Downloading '${RERANKER}' at commit ${COMMIT}`);
      const { body } = await getJson(`${url}/v1/models`, auth);
      expect(body.data.map((model) => [model.id, model.revision])).toEqual([
        [EMBEDDER, null],
        [RERANKER, COMMIT],
      ]);
      await expectService(url, tolerance);
      expect(await server.stop()).toBe(0);
    });

    // Where the files of the embedder come from has nothing to do with the precision.
    it.runIf(dtype === 'float32')('with bundled copies switched off both are downloaded', async () => {
      const server = start(home, dtype, { INFINITY_BUNDLED_MODELS: 'false' });
      await expectService(await readyUrl(server), tolerance);
      expect([cached(home, EMBEDDER), cached(home, RERANKER)]).toEqual([true, true]);
      expect(await server.stop()).toBe(0);
    });

    it('starts from the warm cache when the hub is gone', async () => {
      const gone = { HF_ENDPOINT: 'http://127.0.0.1:9', INFINITY_BUNDLED_MODELS: String(dtype !== 'float32') };
      const server = start(home, dtype, gone);
      await expectService(await readyUrl(server), tolerance);
      expect(await server.stop()).toBe(0);
    });
  },
);
