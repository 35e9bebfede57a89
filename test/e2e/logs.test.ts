import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postJson } from './support/post-json.ts';
import { PROJECT_ROOT, type ServerProcess, startServer } from './support/start-server.ts';

const GOLDEN = path.join(PROJECT_ROOT, 'test/golden/public');
const MODELS = ['bert-mean', 'bert-reranker', 'distilbert-classify'];
/** In every text, key, name and address that the tests send: it may be in no line of the log. */
const SECRET = 'hrungnir';
const KEY = `${SECRET}-key`;

describe.each(['text', 'json'])('with --log-format %s and --log-level trace', (format) => {
  let server: ServerProcess;
  let url: string;
  beforeAll(async () => {
    const models = MODELS.flatMap((name) => [
      '--model-id',
      path.join(GOLDEN, name, 'model'),
      '--served-model-name',
      name,
    ]);
    server = startServer({
      args: [...models, '--log-format', format, '--log-level', 'trace', '--api-key', KEY],
    });
    await server.waitFor('Application startup complete. Ready for requests.');
    url = (await server.waitFor(/Started server process on (http:[^\s"]+)/))[1] ?? '';
  });
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
  });

  const post = (route: string, body: unknown, headers = {}) =>
    postJson(`${url}${route}?x=${SECRET}`, body, { authorization: `Bearer ${KEY}`, ...headers });

  it('no line holds a text, a key, a name or an address that a client sent, whatever became of the request', async () => {
    const statuses = [];
    for (const [route, body, headers] of [
      ['/v1/embeddings', { model: 'bert-mean', input: [`the ${SECRET} text`, SECRET], user: SECRET }],
      ['/v1/embeddings', { model: SECRET, input: SECRET }],
      ['/v1/embeddings', { model: 'bert-mean', input: { [SECRET]: SECRET } }],
      ['/v1/embeddings', `{"input": "${SECRET}"`],
      ['/v1/embeddings', { model: 'bert-mean', input: SECRET, dimensions: SECRET }],
      ['/v1/embeddings', { model: 'bert-mean', input: SECRET }, { authorization: `Bearer ${SECRET}` }],
      ['/v1/embeddings', { model: 'bert-mean', input: SECRET }, { 'x-request-timeout': '0.000001' }],
      ['/v1/rerank', { model: 'bert-reranker', query: SECRET, documents: [SECRET, 'b'], return_documents: true }],
      ['/v1/classify', { model: 'distilbert-classify', input: [SECRET] }],
      ['/tokenize', { inputs: SECRET }],
      [`/v1/${SECRET}`, { input: SECRET }],
    ] as const) {
      statuses.push((await post(route, body, headers)).status);
    }
    expect(statuses).toEqual([200, 404, 400, 400, 400, 401, 504, 200, 200, 200, 404]);
    await server.waitFor(/route"?[=:]"?\/tokenize.*/);
    expect(server.output()).not.toContain(SECRET);
  });

  it('a request has one line with its id, its model, its tokens and where its time went', async () => {
    const id = `line-${format}`;
    const body = { model: 'bert-reranker', query: 'a', documents: ['b', 'c'] };
    expect((await post('/rerank', body, { 'x-request-id': id })).status).toBe(200);
    const [line] = await server.waitFor(new RegExp(`^.*${id}.*$`, 'm'));
    for (const name of ['model', 'items', 'tokens', 'tokenizeMs', 'queueMs', 'runMs', 'ms']) {
      expect(line).toMatch(new RegExp(`\\b${name}"?[=:]`));
    }
    if (format === 'text') {
      expect(line).toMatch(/^INFO: request .*route=\/rerank key=\S+ status=200 model=bert-reranker items=2 tokens=/);
    } else {
      const fields = {
        level: 'INFO',
        message: 'request',
        route: '/rerank',
        status: 200,
        model: 'bert-reranker',
        items: 2,
      };
      expect(JSON.parse(line)).toMatchObject({ ...fields, time: expect.stringMatching(/^\d{4}-/) });
    }
    expect(server.output().split(id)).toHaveLength(2);
  });

  it('every line is what the format promises', () => {
    const lines = server.output().trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) {
      if (format === 'json') expect(JSON.parse(line)).toMatchObject({ message: expect.any(String) });
      else expect(line).toMatch(/^(ERROR|WARNING|INFO|DEBUG): /);
    }
  });
});
