import { describe, expect, test } from 'vitest';
import type { RerankRequest } from '../../../contracts/engine.ts';
import { fakeEngine } from '../../testing/fake-engine.ts';
import { createTestServer } from '../../testing/test-server.ts';

/** Puts the last document first and remembers what it was asked. */
function recordingEngine(score = 0.75) {
  const asked: RerankRequest[] = [];
  const engine = fakeEngine({
    rerank: async (request) => {
      asked.push(request);
      const results = request.documents.map((_, index) => ({
        index,
        score: score / (request.documents.length - index),
      }));
      return { model: 'r', results: results.reverse(), tokens: 23 };
    },
  });
  return { engine, asked };
}

const tail = '],"model":"r","usage":{"prompt_tokens":23,"total_tokens":23},"id":"infinity-id-2","created":1796063637}';

describe.each(['/rerank', '/v1/rerank'])('%s', (url) => {
  test('leaves the document key out unless it is asked for', async () => {
    const { post } = await createTestServer(recordingEngine());
    for (const wish of [undefined, null, false]) {
      const response = await post(url, { query: 'q', documents: ['a', 'b'], return_documents: wish });
      expect(response.json().results).toEqual([
        { relevance_score: 0.75, index: 1 },
        { relevance_score: 0.375, index: 0 },
      ]);
    }
  });

  test('takes strings, objects with a text, and one string, all stripped', async () => {
    const { engine, asked } = recordingEngine();
    const { post } = await createTestServer({ engine });
    await post(url, {
      query: ' q ',
      documents: [' a', { text: 'b\u3000', id: 5 }],
      model: 'r',
      top_n: 1,
      raw_scores: true,
    });
    await post(url, { query: '', documents: 'only ', top_n: null, raw_scores: null, model: null });
    expect(asked).toEqual([
      { model: 'r', query: 'q', documents: ['a', 'b'], topN: 1, rawScores: true },
      { model: undefined, query: '', documents: ['only'], topN: undefined, rawScores: false },
    ]);
  });

  test.each([
    [{ documents: ['a'] }, 'query', 'query: this field is required, and it is missing'],
    [{ query: 'q' }, 'documents', 'documents: this field is required, and it is missing'],
    [{ query: 'q', texts: ['a'] }, 'documents', 'documents: this field is required, and it is missing'],
    [{ query: ['q'], documents: ['a'] }, 'query', 'query: expected a string, got a list'],
    [{ query: 'q', documents: [] }, 'documents', 'documents: expected at least 1 item, got 0'],
    [{ query: 'q', documents: [...'abcde'] }, 'documents', 'documents: expected at most 4 items, got 5'],
    [{ query: 'q', documents: {} }, 'documents', 'documents: expected a string or a list, got an object'],
    [
      { query: 'q', documents: ['a', 5] },
      'documents[1]',
      'documents[1]: expected a string or an object, got an integer',
    ],
    [
      { query: 'q', documents: [{}] },
      'documents[0].text',
      'documents[0].text: this field is required, and it is missing',
    ],
    [
      { query: 'q', documents: [{ text: 5 }] },
      'documents[0].text',
      'documents[0].text: expected a string, got an integer',
    ],
    [{ query: 'q', documents: 'a', top_n: 0 }, 'top_n', 'top_n: expected at least 1, got 0'],
    [{ query: 'q', documents: 'a', top_n: -1 }, 'top_n', 'top_n: expected at least 1, got -1'],
    [{ query: 'q', documents: 'a', top_n: '1' }, 'top_n', 'top_n: expected an integer or null, got a string'],
    [
      { query: 'q', documents: 'a', return_documents: 'yes' },
      'return_documents',
      'return_documents: expected true or false or null, got a string',
    ],
  ])('refuses %j', async (body, param, message) => {
    const { post } = await createTestServer();
    const response = await post(url, body);
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toEqual({ message, type: 'invalid_request_error', param, code: 'invalid_request' });
  });

  test('is never a 200 with a score that is not finite', async () => {
    const { post } = await createTestServer(recordingEngine(Number.NaN));
    const response = await post(url, { query: 'q', documents: ['a'] });
    expect([response.statusCode, response.json().error.code]).toEqual([500, 'run_failed']);
  });
});

test('the bare route gives documents back as strings, as the original does', async () => {
  const { post } = await createTestServer(recordingEngine());
  const response = await post('/rerank', { query: 'q', documents: ['a', ' "\ud800b\u0000 '], return_documents: true });
  expect(response.body).toBe(
    '{"object":"rerank","results":[{"relevance_score":0.75,"index":1,"document":"\\"\\ud800b\\u0000"},' +
      `{"relevance_score":0.375,"index":0,"document":"a"}${tail}`,
  );
});

test('the versioned route gives documents back as objects, as Cohere and Jina do', async () => {
  const { post } = await createTestServer(recordingEngine());
  const response = await post('/v1/rerank', { query: 'q', documents: ['a', { text: 'b' }], return_documents: true });
  expect(response.body).toBe(
    '{"object":"rerank","results":[{"relevance_score":0.75,"index":1,"document":{"text":"b"}},' +
      `{"relevance_score":0.375,"index":0,"document":{"text":"a"}}${tail}`,
  );
});
