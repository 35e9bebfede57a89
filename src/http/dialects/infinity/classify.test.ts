import { describe, expect, test } from 'vitest';
import type { ClassifyRequest } from '../../../contracts/engine.ts';
import { ServiceError } from '../../../contracts/errors.ts';
import { fakeEngine } from '../../testing/fake-engine.ts';
import { createTestServer } from '../../testing/test-server.ts';

/** Answers every text with two labels and remembers what it was asked. */
function recordingEngine(score = 0.75) {
  const asked: ClassifyRequest[] = [];
  const engine = fakeEngine({
    classify: async (request) => {
      asked.push(request);
      const scores = [
        { label: 'pos', score },
        { label: 'a "b"', score: 0.25 },
      ];
      return { model: 'c', results: request.texts.map(() => scores), tokens: 4 };
    },
  });
  return { engine, asked };
}

describe.each(['/classify', '/v1/classify'])('%s', (url) => {
  test('answers in the form of the original, byte by byte', async () => {
    const { post } = await createTestServer(recordingEngine());
    const { body } = await post(url, { input: ['x', 'y'] });
    const inner = '[{"score":0.75,"label":"pos"},{"score":0.25,"label":"a \\"b\\""}]';
    expect(body).toBe(
      `{"object":"classify","data":[${inner},${inner}],"model":"c","usage":{"prompt_tokens":4,"total_tokens":4},"id":"infinity-id-2","created":1796063637}`,
    );
  });

  test('takes one text or a list, stripped', async () => {
    const { engine, asked } = recordingEngine();
    const { post } = await createTestServer({ engine });
    await post(url, { input: ' a ', model: 'c', raw_scores: true });
    await post(url, { input: ['a', ' b'], model: null, raw_scores: null });
    expect(asked).toEqual([
      { model: 'c', texts: ['a'], rawScores: true },
      { model: undefined, texts: ['a', 'b'], rawScores: false },
    ]);
  });

  test.each([
    [{}, 'input', 'input: this field is required, and it is missing'],
    [{ input: [] }, 'input', 'input: expected at least 1 item, got 0'],
    [{ input: [...'abcde'] }, 'input', 'input: expected at most 4 items, got 5'],
    [{ input: 'a', raw_scores: 'yes' }, 'raw_scores', 'raw_scores: expected true or false or null, got a string'],
  ])('refuses %j', async (body, param, message) => {
    const { post } = await createTestServer(recordingEngine());
    const response = await post(url, body);
    expect(response.statusCode).toBe(400);
    expect(response.json().error).toMatchObject({ param, message });
  });

  test('a score that is not finite is an error, not a reply', async () => {
    const { post } = await createTestServer(recordingEngine(Number.NaN));
    const response = await post(url, { input: ['x'] });
    expect(response.statusCode).toBe(500);
    expect(response.json().error.message).toContain("Model 'c', input[0]: expected a finite number, got NaN");
  });

  test('a model that does not classify is refused as the engine says', async () => {
    const engine = fakeEngine({
      classify: async () => {
        throw new ServiceError('capability_missing', 'cannot');
      },
    });
    const { post } = await createTestServer({ engine });
    expect((await post(url, { input: ['x'] })).statusCode).toBe(400);
  });
});
