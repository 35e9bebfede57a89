import { expect, test } from 'vitest';
import { createLargeBodyParser, parseJsonBody } from './json-body-parser.ts';
import { denseResult, fakeEngine } from './testing/fake-engine.ts';
import { createTestServer } from './testing/test-server.ts';

test('an empty body is no body', () => {
  expect(parseJsonBody(Buffer.of())).toBeUndefined();
});

test('a byte order mark before the JSON is skipped', () => {
  expect(parseJsonBody(Buffer.from('\ufeff{"a":"ä"}'))).toEqual({ a: 'ä' });
});

test('the prototype of the parsed object stays as it is', () => {
  const body = parseJsonBody(Buffer.from('{"__proto__":{"a":1}}'));
  expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
});

test.each([
  [Buffer.of(0x22, 0xff, 0x22), 'Request body: expected UTF-8, got bytes that are not UTF-8'],
  [Buffer.from('{"secret":'), 'Request body: expected JSON, got 10 bytes that do not parse as JSON'],
  [Buffer.from('\ufeff'), 'Request body: expected JSON, got 3 bytes that do not parse as JSON'],
  [Buffer.from('['.repeat(50)), 'Request body: expected JSON, got 50 bytes that do not parse as JSON'],
  [Buffer.from('NaN'), 'Request body: expected JSON, got 3 bytes that do not parse as JSON'],
])('bytes that are no JSON are refused without being quoted', (bytes, message) => {
  expect(() => parseJsonBody(bytes)).toThrow(expect.objectContaining({ code: 'invalid_json', message }));
});

const engine = fakeEngine({ embed: async () => denseResult([]) });

test.each([
  [{}],
  [{ 'content-type': 'application/json' }],
  [{ 'content-type': 'Application/JSON; charset=utf-8' }],
  [{ 'content-type': 'application/vnd.api+json' }],
])('a body with the headers %j is read as JSON', async (headers) => {
  const { request } = await createTestServer({ engine });
  const response = await request({
    method: 'POST',
    url: '/embeddings',
    payload: Buffer.from('{"input":"x"}'),
    headers,
  });
  expect(response.statusCode).toBe(200);
});

test.each([
  ['text/plain', 'Content-Type: expected application/json, got text/plain'],
  [
    'application/x-www-form-urlencoded',
    'Content-Type: expected application/json, got application/x-www-form-urlencoded',
  ],
  ['application/jsonx', 'Content-Type: expected application/json, got application/jsonx'],
  ['nonsense', 'Content-Type: expected application/json, got a value that is not a media type'],
])('a body of the type %s is refused with 415', async (type, message) => {
  const { post } = await createTestServer();
  const response = await post('/embeddings', '{"input":"x"}', { 'content-type': type });
  expect([response.statusCode, response.json().error.message]).toEqual([415, message]);
});

const large = (texts: number) =>
  Buffer.from(JSON.stringify({ input: Array.from({ length: texts }, () => 'x'.repeat(1000)) }));

test('large bodies are parsed one after the other, with turns for others in between', async () => {
  const parse = createLargeBodyParser();
  const ended: string[] = [];
  let turns = 0;
  const count = setInterval(() => (turns += 1), 0);
  const bodies = [large(20_000), Buffer.from('{"cut": '), large(1)];
  const parsed = bodies.map((body, index) =>
    parse(body).then(
      () => ended.push(`parsed ${index}`),
      (error: Error) => ended.push(error.message),
    ),
  );
  await Promise.all(parsed);
  clearInterval(count);
  expect(ended).toEqual(['parsed 0', 'Request body: expected JSON, got 8 bytes that do not parse as JSON', 'parsed 2']);
  expect(turns).toBeGreaterThanOrEqual(3);
});

test('a large body is read as a small one is, and refused in the same words', async () => {
  const { post } = await createTestServer({ engine, bodyLimitBytes: 10_000_000 });
  expect((await post('/embeddings', large(3_000).toString())).statusCode).toBe(400);
  expect((await post('/embeddings', JSON.stringify({ input: 'x'.repeat(2_000_000) }))).statusCode).toBe(200);
  expect((await post('/embeddings', `{"input":"${'x'.repeat(2_000_000)}`)).json().error.code).toBe('invalid_json');
});
