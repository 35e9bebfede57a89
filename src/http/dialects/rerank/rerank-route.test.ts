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

describe.each(['/rerank', '/v1/rerank', '/v2/rerank'])('%s', (url) => {
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
    [{ query: 'q', documents: ['a'], rank_fields: ['x'] }, 'rank_fields', 'rank_fields: expected null, got a list'],
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

test.each(['1', '2'])(
  "the route of version %s gives documents back as objects, with Cohere's meta",
  async (version) => {
    const { post } = await createTestServer(recordingEngine());
    const response = await post(`/v${version}/rerank`, {
      query: 'q',
      documents: ['a', { text: 'b' }],
      return_documents: true,
    });
    expect(response.body).toBe(
      '{"object":"rerank","results":[{"relevance_score":0.75,"index":1,"document":{"text":"b"}},' +
        `{"relevance_score":0.375,"index":0,"document":{"text":"a"}}${tail.slice(0, -1)}` +
        `,"meta":{"api_version":{"version":"${version}"},"billed_units":{"search_units":1}}}`,
    );
  },
);

test.each([
  ['string', 'a'],
  ['object', { text: 'a' }],
] as const)('a setting fixes the form %s for all routes', async (documentForm, document) => {
  const { post } = await createTestServer({ ...recordingEngine(), documentForm });
  for (const url of ['/rerank', '/v1/rerank', '/v2/rerank']) {
    const response = await post(url, { query: 'q', documents: ['a'], return_documents: true });
    expect(response.json().results[0].document).toEqual(document);
  }
});

describe('a body with texts on /rerank', () => {
  test('is answered in the form of TEI', async () => {
    const { engine, asked } = recordingEngine();
    const { post } = await createTestServer({ engine });
    const plain = await post('/rerank', { query: 'q', texts: ['a', ' b '] });
    expect(plain.body).toBe('[{"index":1,"score":0.75},{"index":0,"score":0.375}]');
    const options = { return_text: true, raw_scores: true, truncate: true, truncation_direction: 'Left' };
    const full = await post('/rerank', { query: 'q', texts: ['a', ' b '], ...options });
    expect(full.json()[0]).toEqual({ index: 1, text: ' b ', score: 0.75 });
    expect(asked).toMatchObject([
      { unnamed: 'first', documents: ['a', ' b '], rawScores: false, truncation: undefined, param: 'texts' },
      { rawScores: true, truncation: 'left' },
    ]);
  });

  test('gets the errors of TEI; one with neither is told what the original wants', async () => {
    const { post } = await createTestServer();
    const tei = await post('/rerank', { query: 'q', texts: [] });
    expect([tei.statusCode, tei.json()]).toEqual([
      400,
      { error: 'texts: expected at least 1 item, got 0', error_type: 'Validation' },
    ]);
    expect((await post('/rerank', { query: 'q' })).json().error.param).toBe('documents');
  });
});
