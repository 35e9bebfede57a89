import { describe, expect, test } from 'vitest';
import type { ClassifyRequest, EmbedRequest } from '../../../contracts/engine.ts';
import { type ErrorCode, ServiceError } from '../../../contracts/errors.ts';
import { denseResult, fakeEngine, modelStatus } from '../../testing/fake-engine.ts';
import { createTestServer, testKeys } from '../../testing/test-server.ts';
import { cosine } from './similarity.ts';

function embeddingEngine() {
  const asked: EmbedRequest[] = [];
  const engine = fakeEngine({
    embed: async (request) => {
      asked.push(request);
      return {
        ...denseResult(request.texts.map((_, index) => Float32Array.of(1, index))),
        sparse: [{ ids: Int32Array.of(3, 5), weights: Float32Array.of(0.5, 1.5) }],
        colbert: [{ width: 2, numbers: Float32Array.of(1, 2, 3, 4) }],
      };
    },
  });
  return { engine, asked };
}

test('/embed gives a list of vectors for one text and for several', async () => {
  const { engine, asked } = embeddingEngine();
  const { post } = await createTestServer({ engine });
  expect((await post('/embed', { inputs: ' a ' })).body).toBe('[[1,0]]');
  expect((await post('/embed', { inputs: ['a', [1, 2]], normalize: false, dimensions: 1 })).body).toBe('[[1,0],[1,1]]');
  await post('/embed', { inputs: [7, 8], truncate: false, prompt_name: 'query', model: 'm' });
  await post('/embed', {
    inputs: 'a',
    truncation_direction: 'left',
    truncate: null,
    prompt_name: null,
    dimensions: null,
  });
  const first = { unnamed: 'first', outputs: ['dense'], dtypes: ['float32'], param: 'inputs' };
  expect(asked).toMatchObject([
    { ...first, texts: [' a '], normalize: true, dimensions: undefined, truncation: undefined, prompt: undefined },
    { texts: ['a', [1, 2]], normalize: false, dimensions: 1 },
    { model: 'm', texts: [[7, 8]], truncation: 'none', prompt: { name: 'query' } },
    { truncation: 'left', dimensions: undefined },
  ]);
});

test('/embed_sparse and /embed_all give what their models are made for', async () => {
  const { engine, asked } = embeddingEngine();
  const { post } = await createTestServer({ engine });
  expect((await post('/embed_sparse', { inputs: 'a' })).body).toBe(
    '[[{"index":3,"value":0.5},{"index":5,"value":1.5}]]',
  );
  expect((await post('/embed_all', { inputs: 'a' })).body).toBe('[[[1,2],[3,4]]]');
  expect(asked.map(({ outputs }) => outputs)).toEqual([['sparse'], ['colbert']]);
});

describe('/predict', () => {
  const asked: ClassifyRequest[] = [];
  const engine = fakeEngine({
    classify: async (request) => {
      asked.push(request);
      return { model: 'c', results: request.texts.map(() => [{ label: 'a', score: 0.5 }]), tokens: 1 };
    },
  });

  test.each([
    ['a text', 'a', ['a'], [{ score: 0.5, label: 'a' }]],
    ['a list of one text', ['a'], ['a'], [{ score: 0.5, label: 'a' }]],
    ['a pair', ['a', 'b'], [['a', 'b']], [{ score: 0.5, label: 'a' }]],
    [
      'a list of both',
      [['a'], ['a', 'b']],
      ['a', ['a', 'b']],
      [[{ score: 0.5, label: 'a' }], [{ score: 0.5, label: 'a' }]],
    ],
  ])('takes %s', async (_name, inputs, texts, reply) => {
    const { post } = await createTestServer({ engine });
    const response = await post('/predict', { inputs, raw_scores: true });
    expect(response.json()).toEqual(reply);
    expect(asked.at(-1)).toMatchObject({ texts, rawScores: true, rerankers: true, unnamed: 'first' });
  });

  test.each([[['a', 'b', 'c']], [['a', ['b']]]])('refuses %j', async (inputs) => {
    const { post } = await createTestServer({ engine });
    const response = await post('/predict', { inputs });
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toContain('inputs: expected a text, a pair of texts or a list of lists');
  });
});

test('/similarity gives a cosine for each sentence', async () => {
  const { engine, asked } = embeddingEngine();
  const { post } = await createTestServer({ engine });
  const inputs = { source_sentence: 'a', sentences: ['b', 'c'] };
  const response = await post('/similarity', { inputs, parameters: { truncate: false } });
  expect(response.json()[0]).toBeCloseTo(1 / Math.sqrt(2), 12);
  expect(asked[0]).toMatchObject({ texts: ['a', 'b', 'c'], truncation: 'none', dtypes: ['float32'] });
  expect((await post('/similarity', { inputs, parameters: null })).statusCode).toBe(200);
});

test('the cosine of a zero vector is 0, and no cosine exceeds 1', () => {
  expect(cosine(Float32Array.of(0, 0), Float32Array.of(1, 1))).toBe(0);
  expect(cosine(Float32Array.of(0.1, 0.7), Float32Array.of(0.1, 0.7))).toBeLessThanOrEqual(1);
});

test('/tokenize and /decode', async () => {
  const tokens = [
    { id: 101, text: '[CLS]', special: true, start: undefined, stop: undefined },
    { id: 7, text: 'a', special: false, start: 0, stop: 1 },
  ];
  const tokenizing: unknown[] = [];
  const engine = fakeEngine({
    tokenize: async (request) => {
      tokenizing.push(request);
      return { model: 'm', texts: request.texts.map(() => tokens) };
    },
    decode: async ({ ids }) => ({ model: 'm', texts: ids.map(String) }),
  });
  const { post } = await createTestServer({ engine });
  expect((await post('/tokenize', { inputs: 'a' })).body).toBe(
    '[[{"id":101,"text":"[CLS]","special":true,"start":null,"stop":null},{"id":7,"text":"a","special":false,"start":0,"stop":1}]]',
  );
  await post('/tokenize', { inputs: ['a'], add_special_tokens: false, prompt_name: 'q' });
  expect(tokenizing).toMatchObject([
    { texts: ['a'], addSpecialTokens: true },
    { texts: ['a'], addSpecialTokens: false, prompt: { name: 'q' } },
  ]);
  expect((await post('/decode', { ids: [1, 2] })).json()).toEqual(['1,2']);
  expect((await post('/decode', { ids: [[1], [2, 3]] })).json()).toEqual(['1', '2,3']);
});

test('/info describes the model that answers', async () => {
  const details = {
    architecture: 'bert',
    precision: 'float32',
    maxSequenceLength: 512,
    embeddingDtype: 'float32',
    dimensions: undefined,
    labels: ['bad', 'good'],
    promptNames: [],
  } as const;
  for (const [capability, type] of [
    ['classify', 'classifier'],
    ['rerank', 'reranker'],
    ['embed', 'embedding'],
  ] as const) {
    const status = modelStatus('a/b', { capabilities: [capability], details, revision: 'c0ffee' });
    const { request } = await createTestServer({ engine: fakeEngine({ requireCapability: () => status }) });
    const info = (await request({ url: '/info' })).json();
    expect(info).toMatchObject({
      model_id: 'a/b',
      model_sha: 'c0ffee',
      max_input_length: 512,
      max_client_batch_size: 4,
    });
    expect(Object.keys(info.model_type)).toEqual([type]);
    if (capability !== 'embed') expect(info.model_type[type].id2label).toEqual({ 0: 'bad', 1: 'good' });
  }
});

test.each<[ErrorCode, number, string]>([
  ['capability_missing', 400, 'Backend'],
  ['model_not_found', 404, 'Validation'],
  ['model_loading', 503, 'Unhealthy'],
  ['run_failed', 500, 'Backend'],
])('%s is %i with the body of TEI', async (code, status, error_type) => {
  const embed = () => Promise.reject(new ServiceError(code, 'The reason'));
  const { post } = await createTestServer({ engine: fakeEngine({ embed }) });
  const response = await post('/embed', { inputs: 'a' });
  expect([response.statusCode, response.json()]).toEqual([status, { error: 'The reason', error_type }]);
});

test('errors of the door have its body, too', async () => {
  const { post } = await createTestServer({ ...testKeys('k'), bodyLimitBytes: 20 });
  expect((await post('/embed', '{bad')).json()).toMatchObject({ error_type: 'Validation' });
  const key = { authorization: 'Bearer k' };
  expect((await post('/embed', '{bad', key)).json()).toMatchObject({ error_type: 'Validation' });
  const large = await post('/embed', { inputs: 'a'.repeat(30) }, key);
  expect([large.statusCode, large.json().error_type]).toEqual([413, 'Validation']);
});
