import { OpenAIEmbeddings } from '@langchain/openai';
import { CohereClient, CohereClientV2, CohereError } from 'cohere-ai';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxAbsDifference } from './support/max-abs-difference.ts';
import { postJson } from './support/post-json.ts';
import { type ServerProcess, startServer } from './support/start-server.ts';

const EMBEDDER = 'BAAI/bge-small-en-v1.5';
const RERANKER = 'cross-encoder/ms-marco-MiniLM-L-12-v2';
const KEY = 'a secret of the tests';
const TEXT = 'A man is eating food.';
const QUERY = 'What is a panda?';
const DOCUMENTS = ['Paris is the capital of France.', 'The giant panda is a bear native to China.'];

let server: ServerProcess;
let url: string;
let reference: readonly number[];

beforeAll(async () => {
  server = startServer({ environment: { INFINITY_API_KEY: KEY } });
  url = await server.ready();
  const auth = { authorization: `Bearer ${KEY}` };
  reference = (await postJson(`${url}/embeddings`, { model: EMBEDDER, input: TEXT }, auth)).body.data[0].embedding;
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
});

describe('openai', () => {
  it('embeds floats, fewer dimensions and lists of token ids', async () => {
    const client = new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, maxRetries: 0 });
    const floats = await client.embeddings.create({ model: EMBEDDER, input: TEXT, encoding_format: 'float' });
    expect(floats.data[0]?.embedding).toEqual(reference);
    const cut = await client.embeddings.create({ model: EMBEDDER, input: TEXT, dimensions: 64 });
    expect(Math.hypot(...(cut.data[0]?.embedding ?? []))).toBeCloseTo(1, 5);
    const ids = [101, 1037, 2158, 2003, 5983, 2833, 1012, 102];
    for (const input of [ids, [ids, ids]]) {
      const { data } = await client.embeddings.create({ model: EMBEDDER, input });
      expect(maxAbsDifference(data[0]?.embedding ?? [], reference)).toBeLessThan(1e-6);
    }
    await expect(client.embeddings.create({ model: EMBEDDER, input: [101, 99_999] })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('99999'),
    });
  });
});

describe('@langchain/openai', () => {
  it('embeds documents and queries with its defaults', async () => {
    const embeddings = new OpenAIEmbeddings({
      model: EMBEDDER,
      apiKey: KEY,
      configuration: { baseURL: `${url}/v1` },
      maxRetries: 0,
    });
    const vectors = await embeddings.embedDocuments([TEXT, 'x']);
    expect(maxAbsDifference(vectors[0] ?? [], reference)).toBeLessThan(1e-6);
    expect(maxAbsDifference(await embeddings.embedQuery(TEXT), reference)).toBeLessThan(1e-6);
  });
});

describe('cohere-ai', () => {
  it('reranks with its first version, objects in and documents back', async () => {
    const client = new CohereClient({ token: KEY, environment: url });
    const reply = await client.rerank(
      { model: RERANKER, query: QUERY, documents: DOCUMENTS.map((text) => ({ text })), returnDocuments: true },
      { maxRetries: 0 },
    );
    expect(reply.results.map(({ index, document }) => [index, document?.text])).toEqual([
      [1, DOCUMENTS[1]],
      [0, DOCUMENTS[0]],
    ]);
  });

  it('embeds with its first version', async () => {
    const client = new CohereClient({ token: KEY, environment: url });
    const reply = await client.embed({ model: EMBEDDER, texts: [TEXT], inputType: 'search_document' });
    if (reply.responseType !== 'embeddings_floats') throw new Error(`expected floats, got ${reply.responseType}`);
    expect(maxAbsDifference(reply.embeddings[0] ?? [], reference)).toBeLessThan(1e-6);
  });

  it('reranks and embeds with its second version', async () => {
    const client = new CohereClientV2({ token: KEY, environment: url });
    const ranked = await client.rerank({ model: RERANKER, query: QUERY, documents: DOCUMENTS, topN: 1 });
    expect(ranked.results.map(({ index }) => index)).toEqual([1]);
    const embedded = await client.embed({
      model: EMBEDDER,
      texts: [TEXT],
      inputType: 'search_query',
      embeddingTypes: ['float', 'int8', 'ubinary'],
    });
    expect(maxAbsDifference(embedded.embeddings.float?.[0] ?? [], reference)).toBeLessThan(1e-6);
    expect(embedded.embeddings.int8?.[0]).toHaveLength(384);
    expect(embedded.embeddings.ubinary?.[0]).toHaveLength(48);
  });

  it('reports a wrong key', async () => {
    const stranger = new CohereClientV2({ token: 'wrong', environment: url });
    const answer = stranger.rerank({ model: RERANKER, query: QUERY, documents: DOCUMENTS }, { maxRetries: 0 });
    await expect(answer).rejects.toBeInstanceOf(CohereError);
    await expect(answer).rejects.toMatchObject({ statusCode: 401 });
  });
});
