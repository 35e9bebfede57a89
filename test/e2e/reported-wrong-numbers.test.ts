// Faults that users of embedding servers have reported: wrong numbers with status 200. One test for each, by its symptom.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { safetensorsBytes } from '../fakes/safetensors-bytes.ts';
import { maxAbsDifference } from './support/max-abs-difference.ts';
import { postJson } from './support/post-json.ts';
import { type ServerProcess, startServer } from './support/start-server.ts';

const GOLDEN = fileURLToPath(new URL('../golden/', import.meta.url));
const readJson = (relative: string) => JSON.parse(readFileSync(path.join(GOLDEN, relative), 'utf8'));
const expectedOf = (name: string) => readJson(`public/${name}/expected.json`);

/** Float32 against float32: the last digits only. */
const CLOSE = 1e-5;
const NAMES = [
  'bert-mean',
  'bert-cls-norm',
  'bert-lasttoken',
  'bert-weightedmean',
  'bert-dense-tanh',
  'gemma3-embed',
  'qwen3-reranker',
  'bert-reranker',
];

let root: string;
let server: ServerProcess;
let url: string;

/** A table in which one word's vector is not a number. */
function folderWithBrokenWord(): string {
  const folder = path.join(root, 'broken');
  cpSync(path.join(GOLDEN, 'configs/static-truncated'), folder, { recursive: true });
  const { model } = JSON.parse(readFileSync(path.join(folder, '0_StaticEmbedding/tokenizer.json'), 'utf8'));
  const width = 4;
  const data = new Float32Array(Object.keys(model.vocab).length * width).fill(0.5);
  data.fill(Number.NaN, model.vocab.cat * width, (model.vocab.cat + 1) * width);
  const table = { dtype: 'F32', shape: [data.length / width, width], data };
  writeFileSync(
    path.join(folder, '0_StaticEmbedding/model.safetensors'),
    safetensorsBytes({ 'embedding.weight': table }),
  );
  return folder;
}

/** A reranker whose class does not say so. */
function folderWithUnusualClass(): string {
  const folder = path.join(root, 'unusual');
  cpSync(path.join(GOLDEN, 'public/bert-reranker/model'), folder, { recursive: true });
  const file = path.join(folder, 'config.json');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...config, architectures: ['JinaBertReranker'], sentence_transformers: null }));
  return folder;
}

beforeAll(async () => {
  root = mkdtempSync(path.join(tmpdir(), 'infinity-faults-'));
  const models = NAMES.map((name) => [name, path.join(GOLDEN, `public/${name}/model`)]);
  models.push(['broken', folderWithBrokenWord()], ['unusual', folderWithUnusualClass()]);
  server = startServer({
    args: models.flatMap(([name = '', folder = '']) => ['--model-id', folder, '--served-model-name', name]),
  });
  url = await server.ready();
});
afterAll(async () => {
  await server.stop();
  rmSync(root, { recursive: true, force: true });
});

const embed = (model: string, input: string | readonly string[], more: object = {}) =>
  postJson(`${url}/v1/embeddings`, { model, input, ...more });
const rerank = (model: string, query: string, documents: readonly string[], more: object = {}) =>
  postJson(`${url}/rerank`, { model, query, documents, ...more });

async function vectorsOf(
  model: string,
  input: readonly string[],
  more: object = {},
): Promise<readonly (readonly number[])[]> {
  const { status, body } = await embed(model, input, more);
  expect(status).toBe(200);
  return body.data.map((row) => row.embedding);
}

async function worstOfGolden(name: string): Promise<number> {
  let worst = 0;
  for (const { inputs, output } of expectedOf(name).cases) {
    const vectors = await vectorsOf(name, inputs.texts, { prompt_name: inputs.prompt_name });
    for (const [index, vector] of output[output.model_output].entries()) {
      // The server strips texts at both ends, which some tokenizers would not.
      if (inputs.texts[index] !== inputs.texts[index].trim()) continue;
      worst = Math.max(worst, maxAbsDifference(vectors[index] ?? [], vector));
    }
  }
  return worst;
}

const lengthOf = (vector: readonly number[]) => Math.hypot(...vector);

describe('reported faults of embeddings', () => {
  it('a vector that is not finite is an error, never a status of 200 with nulls, and other texts go on', async () => {
    const { status, body } = await embed('broken', 'the cat');
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('null]');
    expect(body.error.message).toMatch(/not finite/);
    expect((await vectorsOf('broken', ['the dog']))[0]).toEqual([0.5, 0.5, 0.5, 0.5]);
  });

  it('short texts have finite vectors equal to those of sentence-transformers to the low digits', async () => {
    const { cases }: { cases: { text: string; embedding: number[] }[] } = readJson('short-texts.json');
    for (const { text, embedding } of cases) {
      const [vector = []] = await vectorsOf('bert-mean', [text]);
      expect(maxAbsDifference(vector, embedding), text).toBeLessThanOrEqual(1e-6);
    }
  });

  it('a model without a Normalize step keeps the scale of sentence-transformers, one with it gives length 1', async () => {
    const texts = expectedOf('bert-mean').cases.find(({ id }: { id: string }) => id === 'batch').inputs.texts;
    expect(await worstOfGolden('bert-weightedmean')).toBeLessThanOrEqual(CLOSE);
    for (const vector of await vectorsOf('bert-weightedmean', texts)) {
      expect(Math.abs(lengthOf(vector) - 1)).toBeGreaterThan(0.1);
    }
    for (const vector of await vectorsOf('bert-mean', texts)) expect(lengthOf(vector)).toBeCloseTo(1, 6);
  });

  it('a text has the same vector alone, among 64 of mixed lengths, and beside 4 parallel clients', async () => {
    const text = 'the vector of this text must not move';
    const [alone = []] = await vectorsOf('bert-mean', [text]);
    const mixed = Array.from({ length: 64 }, (_, index) => `number ${index} ${'and more '.repeat(index % 13)}`);
    const among = await vectorsOf('bert-mean', mixed.with(37, text));
    expect(maxAbsDifference(among[37] ?? [], alone)).toBeLessThanOrEqual(1e-6);
    const clients = await Promise.all(
      [0, 1, 2, 3].map((client) => vectorsOf('bert-mean', mixed.slice(client * 9).with(5, text))),
    );
    for (const vectors of clients) expect(maxAbsDifference(vectors[5] ?? [], alone)).toBeLessThanOrEqual(1e-6);
  });

  it.each(['bert-mean', 'bert-cls-norm', 'bert-lasttoken'])('the pooling that %s declares is done', async (name) => {
    expect(await worstOfGolden(name)).toBeLessThanOrEqual(2e-5);
  });

  it.each(['bert-dense-tanh', 'gemma3-embed'])(
    'the Dense layers after the pooling of %s are not skipped',
    async (name) => {
      expect(await worstOfGolden(name)).toBeLessThanOrEqual(CLOSE);
    },
  );
});

describe('reported faults of reranking', () => {
  const { cases } = expectedOf('bert-reranker');
  const pairs: { query: string; document: string }[] = cases.flatMap(
    ({ inputs }: { inputs: { pairs: { query: string; document: string }[] } }) => inputs.pairs,
  );
  const query = pairs[0]?.query ?? '';
  const documents = pairs.slice(0, 6).map(({ document }) => document);

  it('scores lie between 0 and 1 unless raw ones are asked for, also where the model would give logits', async () => {
    const scored = await rerank('bert-reranker', query, documents);
    const raw = await rerank('bert-reranker', query, documents, { raw_scores: true });
    const logits = new Map<number, number>(raw.body.results.map(({ index, relevance_score: logit }) => [index, logit]));
    for (const { index, relevance_score: score } of scored.body.results) {
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThan(1);
      expect(score).toBeCloseTo(1 / (1 + Math.exp(-(logits.get(index) ?? Number.NaN))), 6);
    }
  });

  it('results come in the order of their scores, and index is the place in the request', async () => {
    const { body } = await rerank('bert-reranker', query, documents, { return_documents: true });
    const scores = body.results.map((result) => result.relevance_score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(scores).size).toBeGreaterThan(1);
    for (const { index, document } of body.results) expect(document).toBe(documents[index]?.trim());
  });

  it('a language model that reranks scores by its answers yes and no, and is no embedder', async () => {
    const { cases } = expectedOf('qwen3-reranker');
    const { inputs, output } = cases.find(({ id }: { id: string }) => id === 'short');
    const { query: asked, document } = inputs.pairs[0];
    const { body } = await rerank('qwen3-reranker', asked, [document]);
    expect(body.results[0].relevance_score).toBeCloseTo(output.probability_yes[0], 5);
    expect((await embed('qwen3-reranker', 'a')).status).toBe(400);
  });

  it('a cross-encoder with an unusual class name is a reranker, not an embedder', async () => {
    const { inputs, output } = cases.find(({ id }: { id: string }) => id === 'short');
    const { query: asked, document } = inputs.pairs[0];
    const { status, body } = await rerank('unusual', asked, [document], { raw_scores: true });
    expect(status).toBe(200);
    expect(body.results[0].relevance_score).toBeCloseTo(output.logits[0][0], 5);
    expect((await embed('unusual', 'a')).status).toBe(400);
  });

  it('an embedder that is asked to rerank answers 400 with what it can do, not 500', async () => {
    const { status, body } = await rerank('bert-mean', query, documents);
    expect(status).toBe(400);
    expect(body.error.message).toMatch(/rerank.*embed/);
  });
});
