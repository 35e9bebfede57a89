import { describe, expect, test } from 'vitest';
import type { EmbedRequest } from '../../../contracts/engine.ts';
import { type ErrorCode, ServiceError } from '../../../contracts/errors.ts';
import { fakeEngine } from '../../testing/fake-engine.ts';
import { createTestServer } from '../../testing/test-server.ts';

/** Answers each text with one vector and remembers what it was asked. */
function recordingEngine(vector = Float32Array.of(0.1, -0.5)) {
  const asked: EmbedRequest[] = [];
  const engine = fakeEngine({
    embed: async (request) => {
      asked.push(request);
      return { model: 'a/b', vectors: request.texts.map(() => vector), tokens: 7 };
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
    expect(asked).toEqual([
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
      return { model: 'a/b', vectors: [Float32Array.of(1)], tokens: 1 };
    };
    const { post } = await createTestServer({ engine: fakeEngine({ embed }) });
    await post('/embeddings', { input: 'x' });
    await new Promise(setImmediate);
    expect(seen?.aborted).toBe(false);
  });
});

const tokenIds =
  'input: expected a string or a list of strings, got token ids, which are not supported: send the text itself';

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
  [{ input: ['a', null] }, 'invalid_request', 'input[1]', 'input[1]: expected a string, got null'],
  [{ input: ['a', 'b', ['c']] }, 'invalid_request', 'input[2]', 'input[2]: expected a string, got a list'],
  [{ input: [1, 2] }, 'invalid_request', 'input', tokenIds],
  [{ input: [[1, 2], [3]] }, 'invalid_request', 'input', tokenIds],
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
    { input: 'a', modality: 'image' },
    'capability_missing',
    'modality',
    'modality: this server embeds "text", got "image"',
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
