import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brittleModel } from './support/brittle-model.ts';
import { getJson, postJson } from './support/post-json.ts';
import { READY_LINE, type ServerProcess, startServer } from './support/start-server.ts';

const EMBEDDER = 'BAAI/bge-small-en-v1.5';
const RERANKER = 'cross-encoder/ms-marco-MiniLM-L-12-v2';
const GOLDEN = fileURLToPath(new URL('../golden/', import.meta.url));

const golden = (name: string) => JSON.parse(readFileSync(path.join(GOLDEN, `real/${name}.json`), 'utf8'));
const folder = mkdtempSync(path.join(os.tmpdir(), 'precision-'));

function cosine(a: readonly number[], b: readonly number[]): number {
  const dot = (x: readonly number[], y: readonly number[]) =>
    x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

let server: ServerProcess;
let url: string;

async function embed(input: readonly string[]): Promise<readonly (readonly number[])[]> {
  const { body } = await postJson(`${url}/v1/embeddings`, { model: EMBEDDER, input });
  return body.data.map((each) => each.embedding);
}

beforeAll(async () => {
  const models = [EMBEDDER, RERANKER, brittleModel(path.join(folder, 'brittle'))].join(';');
  server = startServer({
    environment: {
      INFINITY_DTYPE: 'int8',
      INFINITY_MODEL_ID: models,
      INFINITY_SERVED_MODEL_NAME: [EMBEDDER, RERANKER, 'brittle'].join(';'),
    },
  });
  // Compiling for int8 calibrates: on a busy machine longer than a start may usually take.
  await server.waitFor(READY_LINE, 150_000);
  url = await server.url();
}, 180_000);
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  rmSync(folder, { recursive: true });
});

describe('a server with INFINITY_DTYPE=int8', () => {
  it('says what each model computes in, and how close it is', async () => {
    const { body } = await getJson(`${url}/v1/models`);
    expect(body.data).toMatchObject([
      { precision: 'int8', quality: { leastCosine: expect.any(Number) } },
      { precision: 'int8', quality: { greatestScoreDifference: expect.any(Number) } },
      { precision: 'float32', state: 'ready' },
    ]);
  });

  it('says how long compiling took and what it held: at most three times the float32 weights', () => {
    const weights = fileURLToPath(new URL('../../models/bge-small-en-v1.5/model.safetensors', import.meta.url));
    // The file holds 16 bits of each.
    const float32Bytes = 2 * statSync(weights).size;
    const [, seconds, megabytes] =
      /The graph of 'BAAI.*compiledInS=([\d.]+) compilePeak="([\d.]+) MB"/.exec(server.output()) ?? [];
    console.log(`compiling for int8: ${seconds} s, at most ${megabytes} MB, float32 weights ${float32Bytes / 1e6} MB`);
    expect(Number(megabytes) * 1e6).toBeLessThan(3 * float32Bytes);
  });

  it('tells of all graphs that were tried before float32 was chosen', () => {
    const tried = [...server.output().matchAll(/^INFO: .*brittle' in (\S+): cosine at least/gm)].map(
      ([, name]) => name,
    );
    expect(tried).toContain('int8-by-row-behind-norms');
    expect(tried.length).toBeGreaterThan(1);
  });

  it('serves a model that fails the check in float32, with one warning and the figures', () => {
    const warnings = server.output().match(/^WARNING: .*quality check.*$/gm);
    expect(warnings).toHaveLength(1);
    expect(warnings?.[0]).toMatch(/cosine at least .* median .*served in float32/);
  });

  it('embeds the reference texts within cosine 0.99 of float32', async () => {
    const { cases } = golden('bge-small-en-v1.5');
    const found = await embed(cases.map(({ text }: { text: string }) => text));
    const cosines = found.map((vector, index) => cosine(vector, cases[index].embedding));
    console.log(`int8 against the reference: cosine at least ${Math.min(...cosines).toFixed(5)}`);
    expect(Math.min(...cosines)).toBeGreaterThanOrEqual(0.99);
  });

  it('gives a text the same vector alone and among 63 others', async () => {
    const texts = Array.from(
      { length: 64 },
      (_, index) => `The ${index}th guest ordered tea with ${'a slice of lemon '.repeat(1 + (index % 3))}`,
    );
    const together = await embed(texts);
    const cosines: number[] = [];
    for (const index of [0, 1, 2, 63]) {
      const [alone = []] = await embed(texts.slice(index, index + 1));
      cosines.push(cosine(alone, together[index] ?? []));
    }
    console.log(`int8 alone and among 63 others: cosine at least ${Math.min(...cosines).toFixed(7)}`);
    expect(Math.min(...cosines)).toBeGreaterThanOrEqual(0.9999);
  });

  it('ranks the reference documents in the same order, every score within 0.03', async () => {
    let worst = 0;
    for (const { query, documents } of golden('ms-marco-MiniLM-L-12-v2').cases) {
      const known = documents.filter(({ document }: { document: string }) => document !== '');
      const { body } = await postJson(`${url}/rerank`, {
        model: RERANKER,
        query,
        documents: known.map(({ document }: { document: string }) => document),
      });
      const order = [...known.keys()].sort((a, b) => known[b].logit - known[a].logit);
      expect(body.results.map(({ index }) => index)).toEqual(order);
      for (const { index, relevance_score: score } of body.results) {
        worst = Math.max(worst, Math.abs(score - known[index].score));
      }
    }
    console.log(`int8 reranker: scores within ${worst.toExponential(2)}`);
    expect(worst).toBeLessThanOrEqual(0.03);
  });
});
