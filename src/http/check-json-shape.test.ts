import { expect, test } from 'vitest';
import { parseJsonBody } from './json-body-parser.ts';
import { createTestServer } from './testing/test-server.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const parse = (text: string) => parseJsonBody(Buffer.from(text));

test('lists and objects may be nested in 100 levels', () => {
  expect(() => parse(nested(100))).not.toThrow();
  const refusal = expect.objectContaining({
    code: 'invalid_request',
    message: 'Request body: expected at most 100 levels of lists and objects, got more',
  });
  expect(() => parse(nested(101))).toThrow(refusal);
  expect(() => parse('{"a":'.repeat(100_000) + '}'.repeat(100_000))).toThrow(refusal);
  expect(() => parse('['.repeat(1_000_000))).toThrow(refusal);
});

test('what looks like a level inside a text is none', () => {
  const text = '[{"[{\\\\\\"['.repeat(200);
  expect(parse(JSON.stringify([text]))).toEqual([text]);
  expect(parse(`{"a\\"${'['.repeat(200)}":"${'{'.repeat(200)}"}`)).toBeTypeOf('object');
});

test('a text without an end is no JSON, however many levels come after its quote', () => {
  expect(() => parse(`"${'['.repeat(200)}`)).toThrow(expect.objectContaining({ code: 'invalid_json' }));
  expect(() => parse('["\\')).toThrow(expect.objectContaining({ code: 'invalid_json' }));
});

test.each([
  ['objects', '{},'],
  ['texts', '"",'],
  ['objects with a field', '{"a":1},'],
])('a million parts are too many: %s', (_, part) => {
  expect(() => parse(`[${part.repeat(1_000_001)}0]`)).toThrow(
    'Request body: expected at most 1000000 lists, objects and texts, got more',
  );
});

test('numbers are as many as fit into a body', () => {
  expect(parse(`[${'1,'.repeat(2_000_000)}1]`)).toHaveLength(2_000_001);
});

test('too many levels are refused by every route, in a field that it reads and in one that it does not; fewer do no harm', async () => {
  const { server, post } = await createTestServer({ bodyLimitBytes: 1_000_000 });
  const { paths } = (await server.inject({ url: '/openapi.json' })).json();
  const urls = Object.keys(paths).filter((path) => 'post' in paths[path]);
  expect(urls.length).toBeGreaterThan(10);
  for (const url of urls) {
    for (const field of ['input', 'inputs', 'texts', 'documents', 'unknown']) {
      expect((await post(url, `{"${field}":${nested(100_000)}}`)).body).toContain('at most 100 levels');
      expect((await post(url, `{"${field}":${nested(99)}}`)).statusCode).toBe(400);
    }
  }
});
