// What models give beside a pooled vector, over HTTP, against the outputs of the reference libraries; and quantised vectors
// against the float32 ones that they stand for.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { maxAbsDifference } from './support/max-abs-difference.ts';
import { postJson } from './support/post-json.ts';
import type { EmbeddingRow } from './support/reply-body.ts';
import { type ServerProcess, startServer } from './support/start-server.ts';

const EMBEDDER = 'BAAI/bge-small-en-v1.5';
const GOLDEN = ['bge-m3', 'bert-splade', 'colbert-hf', 'distilbert-classify'] as const;
const TOLERANCE = 1e-4;

const folderOf = (name: string) => fileURLToPath(new URL(`../golden/public/${name}`, import.meta.url));
const casesOf = (name: string) => JSON.parse(readFileSync(`${folderOf(name)}/expected.json`, 'utf8')).cases;

type Weights = Record<string, number>;

interface EmbedReply<Row> {
  readonly data: readonly Row[];
  readonly error: unknown;
}

let server: ServerProcess;
let url: string;

beforeAll(async () => {
  const names = [EMBEDDER, ...GOLDEN];
  const args = names.flatMap((name) => ['--served-model-name', name]);
  const ids = [EMBEDDER, ...GOLDEN.map((name) => `${folderOf(name)}/model`)].flatMap((id) => ['--model-id', id]);
  server = startServer({ args: [...ids, ...args, '--embedding-dtype', 'float32'] });
  url = await server.ready();
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
});

async function embed<Row = EmbeddingRow>(model: string, body: object): Promise<readonly Row[]> {
  const { status, body: reply } = await postJson<EmbedReply<Row>>(`${url}/v1/embeddings`, { model, ...body });
  expect([status, reply.error]).toEqual([200, undefined]);
  return reply.data;
}

function weightsDifference(actual: Weights, expected: Weights): number {
  const ids = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  return Math.max(...[...ids].map((id) => Math.abs((actual[id] ?? 0) - (expected[id] ?? 0))));
}

const byId = (pairs: readonly { index: number; value: number }[]): Weights =>
  Object.fromEntries(pairs.map(({ index, value }) => [index, value]));

it('BGE-M3 gives its three outputs in one call', async () => {
  for (const { inputs, output } of casesOf('bge-m3')) {
    const rows = await embed('bge-m3', { input: inputs.texts, return_sparse: true, return_colbert_vecs: true });
    for (const [index, row] of rows.entries()) {
      expect(maxAbsDifference(row.embedding, output.dense[index])).toBeLessThan(TOLERANCE);
      expect(weightsDifference(byId(row.sparse), output.sparse[index])).toBeLessThan(TOLERANCE);
      expect(maxAbsDifference(row.colbert_vecs.flat(), output.colbert[index].flat())).toBeLessThan(TOLERANCE);
    }
  }
});

it('SPLADE gives pairs on /embed_sparse, and the same weights by token', async () => {
  for (const { inputs, output } of casesOf('bert-splade')) {
    const { body } = await postJson<readonly EmbeddingRow['sparse'][]>(`${url}/embed_sparse`, {
      model: 'bert-splade',
      inputs: inputs.texts,
    });
    const request = { input: inputs.texts, return_dense: false, return_sparse: true, sparse_format: 'tokens' };
    const rows = await embed<{ sparse: Weights }>('bert-splade', request);
    for (const [index, pairs] of body.entries()) {
      expect(weightsDifference(byId(pairs), output.sparse[index])).toBeLessThan(TOLERANCE);
      const values = pairs.map(({ value }) => value);
      expect(Object.values(rows[index]?.sparse ?? {}).sort()).toEqual(values.sort());
    }
  }
});

it('ColBERT gives a row for each token', async () => {
  const [{ inputs, token_ids }] = casesOf('colbert-hf');
  const rows = await embed('colbert-hf', { input: inputs.texts });
  const { body } = await postJson(`${url}/embed_all`, { model: 'colbert-hf', inputs: inputs.texts });
  expect(rows[0]?.embedding).toHaveLength(token_ids[0].length);
  expect(body).toEqual(rows.map((row) => row.embedding));
  const refused = await postJson(`${url}/v1/embeddings`, { model: 'colbert-hf', input: 'a', dimensions: 2 });
  expect([refused.status, refused.body.error.param]).toEqual([400, 'dimensions']);
});

it('classification has the same labels on /classify and on /predict', async () => {
  const texts = ['The river was low.', 'Cats sleep.'];
  const classified = await postJson<{ data: unknown }>(`${url}/classify`, {
    model: 'distilbert-classify',
    input: texts,
  });
  const inputs = texts.map((text) => [text]);
  const predicted = await postJson(`${url}/predict`, { model: 'distilbert-classify', inputs });
  expect(predicted.body).toEqual(classified.body.data);
});

it('integers stand for the float32 numbers, after a cut, too', async () => {
  const input = ['A man is eating food.', 'The market fell today.', 'Paris is the capital of France.'];
  for (const dimensions of [0, 64]) {
    const vectors = async (embedding_dtype: string) =>
      (await embed(EMBEDDER, { input, dimensions, embedding_dtype })).map((row) => row.embedding);
    const floats = await vectors('float32');
    const [int8, uint8, ubinary, binary] = await Promise.all(['int8', 'uint8', 'ubinary', 'binary'].map(vectors));
    for (const [index, vector] of floats.entries()) {
      const bits = vector.map((number) => (number > 0 ? 1 : 0));
      const packed = bits.flatMap((_, bit) =>
        bit % 8 === 0 ? [Number.parseInt(bits.slice(bit, bit + 8).join(''), 2)] : [],
      );
      expect(ubinary?.[index]).toEqual(packed);
      expect(binary?.[index]).toEqual(packed.map((byte) => byte - 128));
    }
    for (const [quantized, least, largest] of [
      [int8, -128, 127],
      [uint8, 0, 255],
    ] as const) {
      const numbers = (quantized ?? []).flat();
      expect(numbers.every((number) => Number.isInteger(number) && number >= least && number <= largest)).toBe(true);
      // Few lie beyond the ranges, and each dimension keeps the order of the texts.
      expect(numbers.filter((number) => number === least || number === largest).length).toBeLessThan(
        numbers.length / 20,
      );
      for (const [dimension, value] of (floats[0] ?? []).entries()) {
        const order = Math.sign((floats[1]?.[dimension] ?? 0) - value);
        const kept = Math.sign((quantized?.[1]?.[dimension] ?? 0) - (quantized?.[0]?.[dimension] ?? 0));
        expect([0, order]).toContain(kept);
      }
    }
  }
});
