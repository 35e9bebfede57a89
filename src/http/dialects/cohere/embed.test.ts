import { expect, test } from 'vitest';
import type { DenseVector, EmbeddingDtype, EmbedRequest } from '../../../contracts/engine.ts';
import { fakeEngine } from '../../testing/fake-engine.ts';
import { createTestServer } from '../../testing/test-server.ts';

const VECTORS: Readonly<Record<EmbeddingDtype, DenseVector>> = {
  float32: Float32Array.of(0.5, 2),
  int8: Int8Array.of(-1, 127),
  uint8: Uint8Array.of(0, 255),
  binary: Int8Array.of(-77),
  ubinary: Uint8Array.of(51),
};

function recordingEngine() {
  const asked: EmbedRequest[] = [];
  const engine = fakeEngine({
    embed: async (request) => {
      asked.push(request);
      const dense = (request.dtypes ?? []).map((dtype) => ({
        dtype,
        vectors: request.texts.map(() => VECTORS[dtype]),
      }));
      return { model: 'm', dense, sparse: [], colbert: [], tokens: 9 };
    },
  });
  return { engine, asked };
}

const meta = (version: string) => ({ api_version: { version }, billed_units: { input_tokens: 9 } });

test('the first version gives a plain list, or each type that is asked for', async () => {
  const { post } = await createTestServer(recordingEngine());
  expect((await post('/v1/embed', { texts: ['a', 'b'], model: 'm' })).json()).toEqual({
    response_type: 'embeddings_floats',
    id: expect.stringContaining('infinity-'),
    embeddings: [
      [0.5, 2],
      [0.5, 2],
    ],
    texts: ['a', 'b'],
    meta: meta('1'),
  });
  const typed = await post('/v1/embed', { texts: ['a'], embedding_types: ['float', 'int8', 'base64'] });
  expect(typed.json()).toMatchObject({
    response_type: 'embeddings_by_type',
    embeddings: { float: [[0.5, 2]], int8: [[-1, 127]], base64: ['AAAAPwAAAEA='] },
  });
});

test('the second version always gives types, and takes inputs of one text', async () => {
  const { engine, asked } = recordingEngine();
  const { post } = await createTestServer({ engine });
  const all = ['float', 'int8', 'uint8', 'binary', 'ubinary', 'base64'];
  const body = {
    texts: ['a'],
    input_type: 'search_query',
    embedding_types: all,
    truncate: 'NONE',
    output_dimension: 2,
  };
  const response = await post('/v2/embed', body);
  expect(response.json()).toEqual({
    id: expect.stringContaining('infinity-'),
    embeddings: {
      float: [[0.5, 2]],
      int8: [[-1, 127]],
      uint8: [[0, 255]],
      binary: [[-77]],
      ubinary: [[51]],
      base64: ['AAAAPwAAAEA='],
    },
    texts: ['a'],
    meta: meta('2'),
  });
  expect((await post('/v2/embed', { inputs: [{ content: [{ type: 'text', text: 'b' }] }] })).json().embeddings).toEqual(
    { float: [[0.5, 2]] },
  );
  expect(asked).toMatchObject([
    {
      texts: ['a'],
      dtypes: ['float32', 'int8', 'uint8', 'binary', 'ubinary'],
      dimensions: 2,
      truncation: 'none',
      prompt: { inputType: 'query' },
    },
    { texts: ['b'], dtypes: ['float32'], truncation: undefined, prompt: undefined },
  ]);
});

test.each([
  ['/v1/embed', {}, 'texts', 'texts: this field is required, and it is missing'],
  ['/v1/embed', { texts: ['a'], images: ['data:,'] }, 'images', 'images: expected null, got a list'],
  [
    '/v1/embed',
    { texts: ['a'], embedding_types: ['float64'] },
    'embedding_types[0]',
    'embedding_types[0]: expected "float" or "int8" or "uint8" or "binary" or "ubinary" or "base64", got "float64"',
  ],
  ['/v2/embed', { texts: ['a'], max_tokens: 5 }, 'max_tokens', 'max_tokens: expected null, got an integer'],
  [
    '/v2/embed',
    { texts: ['a'], inputs: [{ content: [{ type: 'text', text: 'b' }] }] },
    'texts',
    'texts: expected one of texts and inputs, got none or both',
  ],
  ['/v2/embed', { texts: null }, 'texts', 'texts: expected one of texts and inputs, got none or both'],
  [
    '/v2/embed',
    { texts: ['a'], truncate: 'MIDDLE' },
    'truncate',
    'truncate: expected "NONE" or "START" or "END" or null, got "MIDDLE"',
  ],
])('%s refuses %j', async (url, body, param, message) => {
  const { post } = await createTestServer(recordingEngine());
  const response = await post(url, body);
  expect([response.statusCode, response.json().error]).toMatchObject([400, { param, message }]);
});
