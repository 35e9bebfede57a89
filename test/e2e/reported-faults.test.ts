// Faults that users of such servers have reported, each with the shortest request that shows it. The names in brackets are
// the reports: INF is michaelfeil/infinity, TEI huggingface/text-embeddings-inference, VLLM vllm-project/vllm, OLL
// ollama/ollama, LCPP ggml-org/llama.cpp, LLM BerriAI/litellm.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { longContextModel } from './support/long-context-model.ts';
import { maxAbsDifference } from './support/max-abs-difference.ts';
import { getJson, postJson } from './support/post-json.ts';
import type { Base64Body, ReplyBody } from './support/reply-body.ts';
import { type ServerProcess, startServer } from './support/start-server.ts';

const EMBEDDER = 'BAAI/bge-small-en-v1.5';
const RERANKER = 'cross-encoder/ms-marco-MiniLM-L-12-v2';
const QUERY = 'What is a panda?';
const DOCUMENTS = ['Paris is the capital of France.', 'Data frames.', 'The giant panda is a bear native to China.'];
const BODY_LIMIT = 2_000_000;

let server: ServerProcess;
let url: string;
const folder = mkdtempSync(path.join(tmpdir(), 'reported-faults-'));
const longContext = path.join(folder, 'long-context');
beforeAll(async () => {
  server = startServer({
    args: ['--model-id', EMBEDDER, '--model-id', RERANKER, '--model-id', longContextModel(longContext)],
    environment: { INFINITY_BODY_LIMIT: String(BODY_LIMIT) },
  });
  url = await server.ready();
});
afterAll(async () => {
  expect(await server.stop()).toBe(0);
  rmSync(folder, { recursive: true });
});

const embed = <Body = ReplyBody>(body: object) => postJson<Body>(`${url}/v1/embeddings`, { model: EMBEDDER, ...body });
const rerank = (route: string, body: object = {}) =>
  postJson(`${url}${route}`, { model: RERANKER, query: QUERY, documents: DOCUMENTS, ...body });

describe('requests', () => {
  it('a plain string is one item [INF#98, INF#130]', async () => {
    const { status, body } = await embed({ input: 'hi' });
    expect(status).toBe(200);
    expect(body.data.map((row) => row.index)).toEqual([0]);
  });

  it('no optional field is mandatory [Dify#2906, Dify#16738]', async () => {
    expect((await postJson(`${url}/v1/embeddings`, { input: 'ping', model: EMBEDDER })).status).toBe(200);
    expect((await postJson(`${url}/v1/rerank`, { query: 'q', documents: ['d'], model: RERANKER })).status).toBe(200);
  });

  it('token ids are embedded as the text that they stand for [INF#295, INF#36, TEI#273]', async () => {
    const ids = [101, 7632, 102];
    const text = (await embed({ input: 'hi' })).body.data[0].embedding;
    for (const input of [ids, [ids]]) {
      const { status, body } = await embed({ input });
      expect(status).toBe(200);
      expect(maxAbsDifference(body.data[0].embedding, text)).toBeLessThan(1e-6);
    }
    const refused = await embed({ input: [[2028, 374_264]], encoding_format: 'base64' });
    expect(refused.status).toBe(400);
    expect(refused.body.error.message).toContain('Token id 374264');
  });

  it('base64 is little-endian float32, four bytes for each dimension [INF#349, TEI#288, VLLM#5734, LLM#42426]', async () => {
    const { body } = await embed<Base64Body>({ input: 'x', encoding_format: 'base64' });
    expect(typeof body.data[0].embedding).toBe('string');
    expect(Buffer.from(body.data[0].embedding, 'base64')).toHaveLength(4 * 384);
    expect((await embed({ input: 'x', encoding_format: 'hex' })).status).toBe(400);
  });

  it('too many texts are refused with the limit and the count [INF#307]', async () => {
    const { status, body } = await embed({ input: new Array(2049).fill('a') });
    expect(status).toBe(400);
    expect(body.error.message).toBe('input: expected at most 2048 items, got 2049');
  });

  it('more than 32 texts are no problem on any route [TEI#378]', async () => {
    const texts = Array.from({ length: 33 }, (_, index) => `text ${index}`);
    expect((await postJson(`${url}/embed`, { inputs: texts })).body).toHaveLength(33);
    expect((await postJson(`${url}/rerank`, { query: 'q', texts })).body).toHaveLength(33);
    const { body } = await rerank('/v1/rerank', { documents: texts });
    expect(new Set(body.results.map((row) => row.index)).size).toBe(33);
  });

  it('a text that is too long is cut on every route, whatever its characters [TEI#394, TEI#218, OLL#14186]', async () => {
    const text = 'a '.repeat(40_000);
    for (const [route, body] of [
      ['/v1/embeddings', { model: EMBEDDER, input: text }],
      ['/embeddings', { model: EMBEDDER, input: [text] }],
      ['/embed', { inputs: text }],
      ['/embed', { inputs: text, truncate: true }],
      ['/v1/embed', { model: EMBEDDER, texts: [text] }],
      ['/v2/embed', { model: EMBEDDER, texts: [text] }],
      ['/rerank', { model: RERANKER, query: 'q', documents: [text] }],
      ['/rerank', { query: 'q', texts: [text] }],
      ['/predict', { inputs: text }],
    ] as const) {
      expect([route, (await postJson(`${url}${route}`, body)).status]).toEqual([route, 200]);
    }
  });

  it('with truncation off it is refused with the counts', async () => {
    const text = 'a '.repeat(1000);
    const message = 'input[1]: expected at most 512 tokens, special ones included, since truncation is off; got 1002';
    const refused = await embed({ input: ['short', text], truncate: false });
    expect([refused.status, refused.body.error.message]).toEqual([400, message]);
    const tei = await postJson<{ error: string }>(`${url}/embed`, { inputs: ['short', text], truncate: false });
    expect([tei.status, tei.body.error]).toEqual([400, message.replace('input[', 'inputs[')]);
    const pair = await rerank('/rerank', { documents: ['short', text], truncate: false });
    expect([pair.status, pair.body.error.param]).toEqual([400, 'documents[1]']);
  });

  it("the limit is the model's own, and usage counts what was processed [Rapid-MLX#1381]", async () => {
    const beginning = 'the river was quiet '.repeat(200);
    const { body } = await embed({ model: longContext, input: [`${beginning}cats`, `${beginning}dogs sleep`] });
    const [one = [], other = []] = body.data.map((row) => row.embedding);
    expect(maxAbsDifference(one, other)).toBeGreaterThan(0);
    expect(body.usage.prompt_tokens).toBeGreaterThan(2 * 800);
    const cut = await embed({ input: 'a '.repeat(1000) });
    expect(cut.body.usage).toEqual({ prompt_tokens: 512, total_tokens: 512 });
  });

  it('a body that is too large is a 413 that names the limit, and a line in the log [TEI#50]', async () => {
    const { status, body } = await embed({ input: 'x'.repeat(BODY_LIMIT) });
    expect([status, body.error.code]).toEqual([413, 'payload_too_large']);
    expect(body.error.message).toContain(String(BODY_LIMIT));
    await server.waitFor('payload_too_large');
  });

  it('an empty text has a finite vector, again and again [LCPP#10866, OLL#2140]', async () => {
    for (const input of ['', '', 'x', ['', 'x']]) {
      const { status, body } = await embed({ input });
      expect(status).toBe(200);
      for (const { embedding } of body.data) expect(embedding.every(Number.isFinite)).toBe(true);
    }
  });

  it("every field of OpenAI's reply is there [Dify#1404, Dify#1411]", async () => {
    const { body } = await embed({ input: ['a', 'b'] });
    expect(body).toMatchObject({ object: 'list', model: EMBEDDER, usage: { prompt_tokens: 6, total_tokens: 6 } });
    expect(body.data[1]).toMatchObject({ object: 'embedding', index: 1, embedding: expect.any(Array) });
  });
});

describe('reranking', () => {
  it('the document key is left out unless it is asked for [embed-rerank#11]', async () => {
    for (const route of ['/rerank', '/v1/rerank', '/v2/rerank']) {
      for (const result of (await rerank(route)).body.results) expect(result).not.toHaveProperty('document');
    }
  });

  it("documents come back as each dialect's clients expect [INF#383, LLM#38006]", async () => {
    const first = async (route: string) => (await rerank(route, { return_documents: true })).body.results[0].document;
    expect(await first('/rerank')).toBe(DOCUMENTS[2]);
    expect(await first('/v1/rerank')).toEqual({ text: DOCUMENTS[2] });
    expect(await first('/v2/rerank')).toEqual({ text: DOCUMENTS[2] });
  });

  it('documents are strings or objects with a text [open-webui#16228]', async () => {
    const scores = async (documents: unknown) => (await rerank('/rerank', { documents })).body.results;
    expect(await scores(DOCUMENTS.map((text) => ({ text })))).toEqual(await scores(DOCUMENTS));
  });

  it('both protocols are answered; other fields are told which are expected [open-webui#22895]', async () => {
    const tei = await postJson<readonly unknown[]>(`${url}/rerank`, { query: QUERY, texts: DOCUMENTS });
    expect(tei.body[0]).toEqual({ index: 2, score: expect.any(Number) });
    const neither = await postJson(`${url}/rerank`, { query: QUERY, passages: DOCUMENTS });
    expect([neither.status, neither.body.error.message]).toEqual([
      400,
      'documents: this field is required, and it is missing',
    ]);
  });

  it('bare and versioned routes are all there [INF#541, LLM#14937, OLL#10467]', async () => {
    for (const route of ['/rerank', '/v1/rerank', '/v2/rerank']) expect((await rerank(route)).status).toBe(200);
    for (const route of ['/embeddings', '/v1/embeddings']) {
      expect((await postJson(`${url}${route}`, { model: EMBEDDER, input: 'x' })).status).toBe(200);
    }
    for (const route of [
      '/models',
      '/v1/models',
      `/v1/models/${EMBEDDER}`,
      `/models/${EMBEDDER.replace('/', '%2F')}`,
    ]) {
      expect((await getJson(`${url}${route}`)).status).toBe(200);
    }
  });

  it('top_n keeps the best; absent or too large keeps all; 0 and less are refused [INF#342, INF#404]', async () => {
    const count = async (top_n: unknown) => (await rerank('/v1/rerank', { top_n })).body.results?.length;
    expect(await count(1)).toBe(1);
    expect(await count(undefined)).toBe(3);
    expect(await count(null)).toBe(3);
    expect(await count(8000)).toBe(3);
    for (const top_n of [0, -1]) {
      const { status, body } = await rerank('/v1/rerank', { top_n });
      expect([status, body.error.param]).toEqual([400, 'top_n']);
    }
  });
});
