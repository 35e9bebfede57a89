// Faults that users of such servers have reported: it stops answering, or its memory grows. The names in brackets are the
// reports, as in reported-faults.test.ts; FE is qdrant/fastembed. Others are in processes, responsiveness and
// lifecycle.test.ts and in test/faults.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readSamples } from '../../src/observability/metrics/testing/read-samples.ts';
import { longContextModel } from './support/long-context-model.ts';
import { postJson } from './support/post-json.ts';
import { eventually, lanePids, treePssBytes } from './support/process-tree.ts';
import { type ServerProcess, startServer } from './support/start-server.ts';

const EMBEDDER = 'BAAI/bge-small-en-v1.5';
const CLIENTS = 20;
const folder = mkdtempSync(path.join(tmpdir(), 'reported-outages-'));

let server: ServerProcess;
let url: string;

beforeAll(async () => {
  const served = [EMBEDDER, 'long'].flatMap((name) => ['--served-model-name', name]);
  server = startServer({
    args: ['--model-id', EMBEDDER, '--model-id', longContextModel(path.join(folder, 'long')), ...served],
  });
  url = await server.ready();
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  rmSync(folder, { recursive: true });
});

function statusOf(pid: number, field: string): number {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1]) * 1024;
}

it.skipIf(process.platform !== 'linux')('opening a model takes no more memory than it keeps [INF#579]', async () => {
  expect((await postJson(`${url}/v1/embeddings`, { model: EMBEDDER, input: 'one' })).status).toBe(200);
  const lanes = lanePids(server.pid);
  expect(lanes).toHaveLength(2);
  const ratios = lanes.map((pid) => statusOf(pid, 'VmHWM') / statusOf(pid, 'VmRSS'));
  console.log(`lanes: peak ${ratios.map((ratio) => ratio.toFixed(2)).join(' and ')} x what they hold`);
  expect(Math.max(...ratios)).toBeLessThan(1.6);
});

it.skipIf(process.platform !== 'linux')(
  '550 short texts are computed in runs of so many tokens, not all at once [FE#222]',
  async () => {
    const input = Array.from(
      { length: 550 },
      (_, index) => `Text number ${index} of a list that somebody wants embedded.`,
    );
    const before = treePssBytes(server.pid);
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, treePssBytes(server.pid));
    }, 50);
    const { status, body } = await postJson(`${url}/v1/embeddings`, { model: EMBEDDER, input });
    clearInterval(watch);
    expect([status, body.data.length]).toEqual([200, 550]);
    console.log(`550 short texts: ${((most - before) / 1e6).toFixed(0)} MB above ${(before / 1e6).toFixed(0)} MB`);
    expect(most - before).toBeLessThan(200e6);
  },
);

it('20 clients with texts of 100 to 7000 tokens are all answered, and the queue drains to 0 [TEI#97, TEI#305]', async () => {
  const lengths = Array.from(
    { length: CLIENTS },
    (_, client) => 100 + Math.round((6900 * ((client * 7) % CLIENTS)) / (CLIENTS - 1)),
  );
  const replies = await Promise.all(
    lengths.map(async (words, client) => {
      const found = [];
      for (const model of ['long', EMBEDDER]) {
        const input = `${client} ${'word '.repeat(words)}`;
        found.push(await postJson(`${url}/v1/embeddings`, { model, input }, { 'x-request-timeout': '60' }));
      }
      return found;
    }),
  );
  expect(new Set(replies.flat().map(({ status }) => status))).toEqual(new Set([200]));
  const waiting = async () => {
    const samples = readSamples(await (await fetch(`${url}/metrics`)).text());
    return ['queued_items', 'queued_tokens', 'running_items'].flatMap((name) =>
      [EMBEDDER, 'long'].map((model) => samples.get(`infinity_${name}{model="${model}"}`)),
    );
  };
  await eventually(async () => (await waiting()).every((count) => count === 0));
  expect((await postJson(`${url}/v1/embeddings`, { model: EMBEDDER, input: 'after it' })).status).toBe(200);
});
