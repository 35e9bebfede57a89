// Every route whose work can be refused or cut short, in each dialect: by the document, so that a new route is held to it, too.
import { describe, expect, test } from 'vitest';
import type { RequestContext } from '../contracts/engine.ts';
import { ServiceError } from '../contracts/errors.ts';
import { createServer } from './create-server.ts';
import { fakeEngine } from './testing/fake-engine.ts';
import { createTestServer, TEST_OPTIONS } from './testing/test-server.ts';

/** They refuse what they are given and have no work that could wait. */
const WITHOUT_WORK = /\/embeddings_(image|audio)$/;

const documentServer = await createServer(TEST_OPTIONS);
const { paths } = (await documentServer.inject({ url: '/openapi.json' })).json();
const requests = Object.entries<Record<string, Operation>>(paths).flatMap(([path, { post }]) =>
  post === undefined || WITHOUT_WORK.test(path) ? [] : examplesOf(post).map((body) => [path, body] as const),
);

interface Operation {
  readonly requestBody: {
    readonly content: {
      readonly 'application/json': { example?: object; examples?: Record<string, { value: object }> };
    };
  };
}

function examplesOf({ requestBody }: Operation): readonly object[] {
  const { example, examples = {} } = requestBody.content['application/json'];
  return example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
}

/** Does for all kinds of work what `work` does with its context. */
function engineThat(work: (context: RequestContext) => Promise<never>) {
  const each = (_: unknown, context: RequestContext) => work(context);
  return fakeEngine({ embed: each, rerank: each, classify: each, tokenize: each, decode: each });
}

/** Never ends by itself. */
function endless({ signal }: RequestContext): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

test('all dialects are among them', () => {
  const all = ['/embeddings', '/v2/embed', '/v2/rerank', '/classify', '/embed_sparse', '/predict', '/tokenize'];
  expect(requests.map(([path]) => path)).toEqual(expect.arrayContaining(all));
});

describe.each(requests)('%s %j', (path, body) => {
  test.each([
    ["the client's header", { 'x-request-timeout': '0.005' }, 60],
    ["the server's setting", {}, 0.005],
  ])('ends in 504 after the time of %s', async (_, headers, requestTimeoutS) => {
    const { post } = await createTestServer({ engine: engineThat(endless), requestTimeoutS });
    const reply = await post(path, body, headers);
    expect([reply.statusCode, reply.body]).toEqual([504, expect.stringContaining('within its 0.005 s')]);
  });

  test('tells its work when it has to be done, and whether it may come from a cache', async () => {
    const contexts: RequestContext[] = [];
    const engine = engineThat((context) => {
      contexts.push(context);
      return Promise.reject(new ServiceError('run_failed', 'enough'));
    });
    const { post } = await createTestServer({ engine });
    await post(path, body, { 'x-request-timeout': '60', 'cache-control': 'no-store' });
    expect(contexts).toMatchObject([{ deadlineMs: expect.any(Number), cache: false }]);
  });

  test('ends in 429 with the time to wait where there is no room', async () => {
    const engine = engineThat(() => Promise.reject(new ServiceError('overloaded', 'full', { retryAfterS: 7 })));
    const { post } = await createTestServer({ engine });
    const reply = await post(path, body);
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([429, '7']);
  });

  test('refuses a time limit that is none', async () => {
    const { post } = await createTestServer({ engine: engineThat(endless) });
    const reply = await post(path, body, { 'x-request-timeout': 'soon' });
    expect([reply.statusCode, reply.body]).toEqual([400, expect.stringContaining('x-request-timeout: expected')]);
  });
});
