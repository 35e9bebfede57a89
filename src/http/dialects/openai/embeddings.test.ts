import { describe, expect, test } from 'vitest';
import type { EmbedRequest, EmbedResult } from '../../../contracts/engine.ts';
import { type ErrorCode, ServiceError } from '../../../contracts/errors.ts';
import { denseResult, fakeEngine } from '../../testing/fake-engine.ts';
import { createTestServer } from '../../testing/test-server.ts';

/** Answers each text with one vector and remembers what it was asked. */
function recordingEngine(vector = Float32Array.of(0.1, -0.5)) {
  const asked: EmbedRequest[] = [];
  const engine = fakeEngine({
    embed: async (request) => {
      asked.push(request);
      return denseResult(request.texts.map(() => vector));
    },
  });
  return { engine, asked };
}

describe('the reply', () => {
  test('has the keys, the order and the number form of the original', async () => {
    const { post } = await createTestServer(recordingEngine());
    const response = await post('/v1/embeddings', { input: ['a', 'b'], model: 'a/b' });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(response.body).toBe(
      '{"object":"list","data":[' +
        '{"object":"embedding","embedding":[0.10000000149011612,-0.5],"index":0},' +
        '{"object":"embedding","embedding":[0.10000000149011612,-0.5],"index":1}],' +
        '"model":"a/b","usage":{"prompt_tokens":7,"total_tokens":7},"id":"infinity-id-2","created":1796063637}',
    );
  });

  test('holds little-endian float32 bytes as base64, of the vector alone where it is a view into a larger buffer', async () => {
    const view = Float32Array.of(9, 2, 2, 9).subarray(1, 3);
    const { post } = await createTestServer(recordingEngine(view));
    const response = await post('/embeddings', { input: 'hi', encoding_format: 'base64' });
    expect(response.json().data).toEqual([{ object: 'embedding', embedding: 'AAAAQAAAAEA=', index: 0 }]);
  });

  test('is the same numbers as floats and as base64, bit for bit, when it takes several turns to build', async () => {
    const vector = Float32Array.from({ length: 40_000 }, (_, index) => Math.sin(index) * 2 ** ((index % 40) - 30));
    const { post } = await createTestServer(recordingEngine(vector));
    const floats = await post('/embeddings', { input: ['a', 'b'] });
    const base64 = await post('/embeddings', { input: ['a', 'b'], encoding_format: 'base64' });
    const bytes = Buffer.from(base64.json().data[1].embedding, 'base64');
    expect(Number(floats.headers['content-length'])).toBe(Buffer.byteLength(floats.body));
    expect(Float32Array.from(floats.json().data[1].embedding)).toEqual(vector);
    expect(Float32Array.from({ length: vector.length }, (_, index) => bytes.readFloatLE(4 * index))).toEqual(vector);
  });

  test.each(['float', 'base64'])('is never a 200 with a number that is not finite (%s)', async (encoding_format) => {
    const { post } = await createTestServer(recordingEngine(Float32Array.of(0, Number.NaN)));
    const response = await post('/embeddings', { input: 'hi', encoding_format });
    expect(response.statusCode).toBe(500);
    expect(response.json().error.code).toBe('run_failed');
  });
});

describe('the request', () => {
  test('reaches the engine stripped and complete', async () => {
    const { engine, asked } = recordingEngine();
    const { post } = await createTestServer({ engine });
    await post('/embeddings', { input: ' \u0085hi\u001c ', model: 'a/b', dimensions: 2 });
    await post('/embeddings', { input: ['', '\ufeffx '] });
    expect(asked).toMatchObject([
      { model: 'a/b', texts: ['hi'], dimensions: 2 },
      { model: undefined, texts: ['', '\ufeffx'], dimensions: undefined },
    ]);
  });

  test('may hold null for every optional field, an unknown field and the placeholder of the original for the model', async () => {
    const { engine, asked } = recordingEngine();
    const { post } = await createTestServer({ engine });
    const nulls = { model: null, encoding_format: null, dimensions: null, modality: null, user: 5 };
    expect((await post('/embeddings', { input: 'x', ...nulls, whatever: [1] })).statusCode).toBe(200);
    expect((await post('/embeddings', { input: 'x', model: 'default/not-specified' })).statusCode).toBe(200);
    expect(asked.map(({ model }) => model)).toEqual([undefined, undefined]);
  });

  test('may name the prototype, lone surrogates and NUL: they are data', async () => {
    const { engine, asked } = recordingEngine();
    const { post } = await createTestServer({ engine });
    const body =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"input":["\\ud800","\\u0000"]}';
    expect((await post('/embeddings', body)).statusCode).toBe(200);
    expect(asked[0]?.texts).toEqual(['\ud800', '\u0000']);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test('passes on the signal, which stays quiet when the reply was read', async () => {
    let seen: AbortSignal | undefined;
    const embed = async (_: EmbedRequest, { signal }: { signal: AbortSignal }) => {
      seen = signal;
      return denseResult([Float32Array.of(1)]);
    };
    const { post } = await createTestServer({ engine: fakeEngine({ embed }) });
    await post('/embeddings', { input: 'x' });
    await new Promise(setImmediate);
    expect(seen?.aborted).toBe(false);
  });
});

test.each<[body: string | object, code: ErrorCode, param: string | null, message: string]>([
  ['', 'invalid_request', null, 'Request body: expected a JSON object, got an empty body'],
  ['[]', 'invalid_request', null, 'Request body: expected an object, got a list'],
  ['null', 'invalid_request', null, 'Request body: expected an object, got null'],
  ['"x"', 'invalid_request', null, 'Request body: expected an object, got a string'],
  ['{bad', 'invalid_json', null, 'Request body: expected JSON, got 4 bytes that do not parse as JSON'],
  [{}, 'invalid_request', 'input', 'input: this field is required, and it is missing'],
  ['{"__proto__":{"input":"x"}}', 'invalid_request', 'input', 'input: this field is required, and it is missing'],
  [{ input: null }, 'invalid_request', 'input', 'input: expected a string or a list, got null'],
  [{ input: 5 }, 'invalid_request', 'input', 'input: expected a string or a list, got an integer'],
  [{ input: true }, 'invalid_request', 'input', 'input: expected a string or a list, got a boolean'],
  [{ input: {} }, 'invalid_request', 'input', 'input: expected a string or a list, got an object'],
  [{ input: [] }, 'invalid_request', 'input', 'input: expected at least 1 item, got 0'],
  [{ input: [...'abcde'] }, 'invalid_request', 'input', 'input: expected at most 4 items, got 5'],
  [
    { input: ['a', null] },
    'invalid_request',
    'input[1]',
    'input[1]: expected a string or an integer or a list, got null',
  ],
  [{ input: ['a', 'b', ['c']] }, 'invalid_request', 'input[2][0]', 'input[2][0]: expected an integer, got a string'],
  [
    { input: [1, 2.5] },
    'invalid_request',
    'input[1]',
    'input[1]: expected a string or an integer or a list, got a number',
  ],
  [{ input: [[1], []] }, 'invalid_request', 'input[1]', 'input[1]: expected at least 1 item, got 0'],
  [
    { input: [1, 'a'] },
    'invalid_request',
    'input',
    'input: expected token ids or texts, got a list of both: ids beside texts are a list of their own',
  ],
  [{ input: 'a', model: 5 }, 'invalid_request', 'model', 'model: expected a string or null, got an integer'],
  [
    { input: 'a', encoding_format: 'hex' },
    'invalid_request',
    'encoding_format',
    'encoding_format: expected "float" or "base64" or null, got "hex"',
  ],
  [
    { input: 'a', encoding_format: 'x'.repeat(41) },
    'invalid_request',
    'encoding_format',
    'encoding_format: expected "float" or "base64" or null, got a string',
  ],
  [
    { input: 'a', dimensions: '5' },
    'invalid_request',
    'dimensions',
    'dimensions: expected an integer or null, got a string',
  ],
  [
    { input: 'a', dimensions: 5.5 },
    'invalid_request',
    'dimensions',
    'dimensions: expected an integer or null, got a number',
  ],
  [{ input: 'a', dimensions: -1 }, 'invalid_request', 'dimensions', 'dimensions: expected at least 0, got -1'],
  [
    { input: 'a', modality: 'video' },
    'invalid_request',
    'modality',
    'modality: expected "text" or "image" or "audio" or null, got "video"',
  ],
  [
    { input: 'a', embedding_dtype: 'int4' },
    'invalid_request',
    'embedding_dtype',
    'embedding_dtype: expected "float32" or "int8" or "uint8" or "binary" or "ubinary" or null, got "int4"',
  ],
  [
    { input: 'a', truncate: 'middle' },
    'invalid_request',
    'truncate',
    'truncate: expected true or false or -1 or "left" or "right" or null, got "middle"',
  ],
  [
    { input: 'a', prompt: 'x: ', input_type: 'query' },
    'invalid_request',
    'prompt',
    'prompt: expected at most one of prompt_name, prompt and input_type, got 2',
  ],
  [
    { input: 'a', return_dense: false },
    'invalid_request',
    'return_dense',
    'return_dense: expected at least one of return_dense, return_sparse and return_colbert_vecs to be true, got none',
  ],
  [
    { input: 'a', late_chunking: true },
    'invalid_request',
    'late_chunking',
    'late_chunking: expected false or null, got a boolean',
  ],
  [
    { input: 'ftp://x/y', modality: 'image' },
    'invalid_request',
    'input',
    'input: expected a data URI or an http or https URL, got another text',
  ],
  [
    { input: ['https://a.org/x.png', 'no'], modality: 'audio' },
    'invalid_request',
    'input[1]',
    'input[1]: expected a data URI or an http or https URL, got another text',
  ],
])(
  '%j is refused with a message that names the field, the expected and the actual',
  async (body, code, param, message) => {
    const { post } = await createTestServer();
    const response = await post('/v1/embeddings', body);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({ error: { message, type: 'invalid_request_error', param, code } });
  },
);

test.each<[code: ErrorCode, status: number, type: string, headers: Record<string, string>]>([
  ['model_not_found', 404, 'invalid_request_error', {}],
  ['capability_missing', 400, 'invalid_request_error', {}],
  ['model_loading', 503, 'service_unavailable_error', { 'retry-after': '2' }],
  ['model_failed', 503, 'service_unavailable_error', {}],
  ['run_failed', 500, 'server_error', {}],
  ['lane_lost', 500, 'server_error', {}],
])('an engine that rejects with %s is answered with %i', async (code, status, type, headers) => {
  const embed = () =>
    Promise.reject(new ServiceError(code, 'The reason', { param: 'model', cause: new Error('secret') }));
  const { post } = await createTestServer({ engine: fakeEngine({ embed }) });
  const response = await post('/v1/embeddings', { input: 'x' });
  expect(response.statusCode).toBe(status);
  expect(response.headers).toMatchObject(headers);
  expect(response.json()).toEqual({ error: { message: 'The reason', type, param: 'model', code } });
});

describe('the options', () => {
  test('reach the engine', async () => {
    const { engine, asked } = recordingEngine();
    const { post } = await createTestServer({ engine });
    const ask = async (options: object) => {
      expect((await post('/embeddings', { input: 'x', ...options })).statusCode).toBe(200);
      return asked.at(-1);
    };
    expect(await ask({})).toMatchObject({ outputs: undefined, dtypes: undefined, truncation: undefined });
    expect(await ask({ embedding_dtype: 'int8' })).toMatchObject({ dtypes: ['int8'] });
    expect(await ask({ normalize: false })).toMatchObject({ normalize: false });
    expect(await ask({ truncate: false })).toMatchObject({ truncation: 'none' });
    expect(await ask({ truncate: true })).toMatchObject({ truncation: undefined });
    expect(await ask({ truncate: -1 })).toMatchObject({ truncation: undefined });
    expect(await ask({ truncate: 'left' })).toMatchObject({ truncation: 'left' });
    expect(await ask({ prompt_name: 'q' })).toMatchObject({ prompt: { name: 'q' } });
    expect(await ask({ prompt: 'q: ' })).toMatchObject({ prompt: { text: 'q: ' } });
    expect(await ask({ input_type: 'search_query' })).toMatchObject({ prompt: { inputType: 'query' } });
    expect(await ask({ return_sparse: true, sparse_format: 'tokens' })).toMatchObject({
      outputs: ['dense', 'sparse'],
      tokenTexts: true,
    });
    expect(await ask({ return_dense: false, return_colbert_vecs: true })).toMatchObject({ outputs: ['colbert'] });
  });

  test('a text and a list of one are one request to the engine, so that the same rule admits them [TEI#662]', async () => {
    const { engine, asked } = recordingEngine();
    const { post } = await createTestServer({ engine });
    await post('/embeddings', { input: 'apple' });
    await post('/embeddings', { input: ['apple'] });
    expect(asked[0]).toEqual(asked[1]);
  });

  test('token ids are one list or several', async () => {
    const { engine, asked } = recordingEngine();
    const { post } = await createTestServer({ engine, maxClientBatchSize: 4 });
    await post('/embeddings', { input: [2028, 374, 264, 1, 2, 3] });
    await post('/embeddings', { input: [[2028, 374], [264]], encoding_format: 'base64' });
    await post('/embeddings', { input: ['a', [1]] });
    expect(asked.map(({ texts }) => texts)).toEqual([[[2028, 374, 264, 1, 2, 3]], [[2028, 374], [264]], ['a', [1]]]);
  });

  test('token ids of another vocabulary become text where the server is told so', async () => {
    const { engine, asked } = recordingEngine();
    const textOfIds = (ids: readonly number[]) => ` ${ids.join('-')} `;
    const { post } = await createTestServer({ engine, textOfIds });
    await post('/embeddings', { input: [[1, 2], [3]] });
    expect(asked[0]?.texts).toEqual(['1-2', '3']);
  });

  test('a vast list of what nobody can embed is refused in a moment', async () => {
    const { post } = await createTestServer({ bodyLimitBytes: 64_000_000 });
    for (const input of [new Array(1_000_000).fill({}), new Array(1_000_000).fill([]), new Array(200_000).fill('a')]) {
      const before = process.cpuUsage();
      expect((await post('/embeddings', { input })).statusCode).toBe(400);
      // What it took of this process, whatever else the machine does.
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1000).toBeLessThan(5_000);
    }
  });
});

describe('other numbers and other vectors', () => {
  const engineOf = (result: Partial<EmbedResult>) =>
    fakeEngine({ embed: async () => ({ ...denseResult([]), dense: [], ...result }) });

  test('integers are JSON integers, and their own bytes as base64', async () => {
    const engine = engineOf({ dense: [{ dtype: 'int8', vectors: [Int8Array.of(51, -128)] }] });
    const { post } = await createTestServer({ engine });
    expect((await post('/embeddings', { input: 'x' })).body).toContain('"embedding":[51,-128]');
    const base64 = await post('/embeddings', { input: 'x', encoding_format: 'base64' });
    expect([...Buffer.from(base64.json().data[0].embedding, 'base64')]).toEqual([51, 128]);
  });

  test('a model of token vectors alone gives a row for each token as the embedding', async () => {
    const engine = engineOf({ colbert: [{ width: 2, numbers: Float32Array.of(1, 2, 3, 4) }] });
    const { post } = await createTestServer({ engine });
    expect((await post('/embeddings', { input: 'x' })).body).toContain('"embedding":[[1,2],[3,4]]');
    const base64 = await post('/embeddings', { input: 'x', encoding_format: 'base64' });
    expect(Buffer.from(base64.json().data[0].embedding, 'base64')).toHaveLength(16);
  });

  test('dense, sparse and token vectors come in one reply', async () => {
    const engine = engineOf({
      dense: [{ dtype: 'float32', vectors: [Float32Array.of(0.5)] }],
      sparse: [{ ids: Int32Array.of(7, 9), weights: Float32Array.of(0.5, 2), tokens: ['"', 'b'] }],
      colbert: [{ width: 1, numbers: Float32Array.of(1, 2) }],
    });
    const { post } = await createTestServer({ engine });
    const ask = async (sparse_format: string) => {
      const body = { input: 'x', return_sparse: true, return_colbert_vecs: true, sparse_format };
      return (await post('/embeddings', body)).json().data;
    };
    const rest = { object: 'embedding', embedding: [0.5], colbert_vecs: [[1], [2]], index: 0 };
    const pairs = [
      { index: 7, value: 0.5 },
      { index: 9, value: 2 },
    ];
    expect(await ask('pairs')).toEqual([{ ...rest, sparse: pairs }]);
    expect(await ask('tokens')).toEqual([{ ...rest, sparse: { '"': 0.5, b: 2 } }]);
  });
});

test.each([
  ['/embeddings', { modality: 'image' }],
  ['/embeddings_image', {}],
  ['/v1/embeddings_audio', {}],
])('images and sounds are refused as a capability that no model has (%s)', async (url, modality) => {
  const requireCapability = () => {
    throw new ServiceError('capability_missing', 'ModelNotDeployedError: no', { param: 'model' });
  };
  const { post } = await createTestServer({ engine: fakeEngine({ requireCapability }) });
  for (const input of ['data:image/png;base64,AAAA', ['https://example.org/a.png']]) {
    const response = await post(url, { input, ...modality });
    expect([response.statusCode, response.json().error.code]).toEqual([400, 'capability_missing']);
  }
  expect((await post(url, { input: 'no reference', ...modality })).json().error.code).toBe('invalid_request');
});
