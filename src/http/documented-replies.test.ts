// Every operation of the OpenAPI document is brought to every status that it documents; `createTestServer` validates each
// reply against the schema of its status.
import { expect, test } from 'vitest';
import { keyDigest } from '../contracts/api-key.ts';
import type { EmbedResult, ModelStatus } from '../contracts/engine.ts';
import { type ErrorCode, ServiceError } from '../contracts/errors.ts';
import { createServer } from './create-server.ts';
import { MODEL_ERRORS } from './dialects/model-errors.ts';
import { fakeEngine, modelStatus } from './testing/fake-engine.ts';
import { createTestServer, TEST_OPTIONS } from './testing/test-server.ts';

const BODY_LIMIT = 4_000;
const KEY = { authorization: 'Bearer k' };

const everything = (texts: readonly unknown[]): EmbedResult => ({
  model: 'm',
  dense: (['float32', 'int8', 'uint8', 'binary', 'ubinary'] as const).map((dtype) => ({
    dtype,
    vectors: texts.map(() => (dtype === 'float32' ? Float32Array.of(0.5) : Int8Array.of(1))),
  })),
  sparse: texts.map(() => ({ ids: Int32Array.of(1), weights: Float32Array.of(0.5) })),
  colbert: texts.map(() => ({ width: 1, numbers: Float32Array.of(0.5, 1) })),
  tokens: 1,
});

/** Answers all, or refuses all with a code. Images and sounds are always refused. */
function engineThat(code: ErrorCode | undefined, status: ModelStatus) {
  const answer = <T>(result: T): T => {
    if (code === undefined) return result;
    throw new ServiceError(code, 'The reason');
  };
  return fakeEngine({
    embed: async ({ texts }) => answer(everything(texts)),
    rerank: async () => answer({ model: 'm', results: [{ index: 0, score: 0.5 }], tokens: 1 }),
    classify: async () => answer({ model: 'm', results: [[{ label: 'a', score: 0.5 }]], tokens: 1 }),
    tokenize: async () => answer({ model: 'm', texts: [[]] }),
    decode: async () => answer({ model: 'm', texts: ['a'] }),
    requireCapability: (_, capability) => {
      if (capability !== undefined) throw new ServiceError(code ?? 'capability_missing', 'The reason');
      return answer(status);
    },
    models: () => (code === 'internal_error' ? fail() : [status]),
  });
}

/** What the work of a route can end in; the codes of the door have requests of their own. */
const ENGINE_CODES: readonly ErrorCode[] = [...MODEL_ERRORS, 'internal_error'];

interface Operation {
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': { example?: unknown; examples?: Record<string, { value: unknown }> };
    };
  };
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

function examplesOf({ requestBody }: Operation): readonly unknown[] {
  const { example, examples } = requestBody?.content['application/json'] ?? {};
  return example === undefined ? Object.values(examples ?? {}).map(({ value }) => value) : [example];
}

interface State {
  readonly code?: ErrorCode;
  readonly model?: ModelStatus['state'];
  readonly shuttingDown?: boolean;
}

async function serverOf({ code, model = 'ready', shuttingDown = false }: State = {}) {
  return createTestServer({
    engine: engineThat(code, modelStatus('m', { state: model })),
    apiKeys: () => [
      { name: 'all', digest: keyDigest('k') },
      { name: 'limited', digest: keyDigest('limited'), limits: { requestsPerMinute: 1 } },
      { name: 'none', digest: keyDigest('useless'), scopes: [] },
    ],
    bodyLimitBytes: BODY_LIMIT,
    maxClientBatchSize: 2048,
    isShuttingDown: () => shuttingDown,
    metrics: { ...TEST_OPTIONS.metrics, render: async () => (code === 'internal_error' ? fail() : 'up 1\n') },
    // Even a route that uses nothing else uses the clock.
    nowMs: () => (code === 'internal_error' ? fail() : 1_796_063_637_489),
  });
}

function fail(): never {
  throw new Error('A fault of our own');
}

const documentServer = await createServer({ ...TEST_OPTIONS, maxClientBatchSize: 2048 });
const { paths } = (await documentServer.inject({ url: '/openapi.json' })).json();
const operations = Object.entries<Record<string, Operation>>(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [method.toUpperCase(), path, operation] as const),
);

test.each(operations)('%s %s replies as documented, with each status', async (method, path, operation) => {
  const seen = new Set<number>();
  const isPost = method === 'POST';
  const url = path.replace('{id}', 'm');
  const documented = Object.keys(operation.responses).map(Number);
  const examples = isPost ? examplesOf(operation) : [undefined];

  async function ask(
    on: Awaited<ReturnType<typeof serverOf>>,
    payload: unknown,
    headers: Record<string, string> = KEY,
  ) {
    const sent = typeof payload === 'string' ? payload : JSON.stringify(payload);
    const response =
      isPost && sent !== undefined
        ? await on.request({
            method: 'POST',
            url,
            payload: sent,
            headers: { 'content-type': 'application/json', ...headers },
          })
        : await on.request({ method: 'GET', url, headers });
    expect(response.headers['x-request-id']).toBeTruthy();
    seen.add(response.statusCode);
  }

  const answering = await serverOf();
  for (const example of examples) await ask(answering, example);
  await ask(answering, examples[0], {});
  await ask(answering, examples[0], { authorization: 'Bearer useless' });
  for (const _ of ['allowed', 'too many']) await ask(answering, examples[0], { authorization: 'Bearer limited' });
  if (isPost) {
    await ask(answering, '{bad');
    await ask(answering, { nothing: 'of it' });
    await ask(answering, 'x'.repeat(BODY_LIMIT + 1));
    await ask(answering, 'text', { ...KEY, 'content-type': 'text/plain' });
  }
  await ask(await serverOf({ model: 'loading' }), examples[0]);
  await ask(await serverOf({ model: 'failed' }), examples[0]);
  await ask(await serverOf({ shuttingDown: true }), examples[0]);
  if (path.includes('{id}')) {
    seen.add((await answering.request({ url: path.replace('{id}', 'x/y'), headers: KEY })).statusCode);
  }
  const described = Object.values(operation.responses).map(({ description }) => description);
  for (const code of ENGINE_CODES.filter((each) => described.some((text) => text.includes(`\`${each}\``)))) {
    for (const example of examples) await ask(await serverOf({ code }), example);
  }
  // No model of this version takes images or sounds.
  if (path.includes('embeddings_')) seen.add(200);
  expect([...seen].sort()).toEqual(documented.sort());
});
