import { expect, test } from 'vitest';
import type { RequestWork } from '../contracts/request-work.ts';
import { createEngine } from './create-engine.ts';
import { context, countingTokenizer, embedder, threefold } from './testing/fake-models.ts';

const ended = expect.objectContaining({ startMs: expect.any(Number), endMs: expect.any(Number) });

test('the work of a request names the model by its served name and counts texts and tokens, equal ones each time', async () => {
  const work: RequestWork = {};
  const answer = createEngine([threefold()]).embed(
    { model: 'whatever', texts: ['ab', 'a', 'ab'] },
    { ...context(), work },
  );
  const { tokens } = await answer;
  expect(work).toEqual({ model: 'm3', items: 3, tokens, tokenize: ended });
});

test('a request whose texts cannot be encoded still says how long that took', async () => {
  const work: RequestWork = {};
  const { tokenizer } = countingTokenizer({ encode: () => Promise.reject(new Error('no')) });
  const answer = createEngine([threefold(tokenizer)]).embed({ model: 'm3', texts: ['ab'] }, { ...context(), work });
  await expect(answer).rejects.toThrow('no');
  expect(work).toEqual({ model: 'm3', items: 1, tokenize: ended });
});

test('a request for what the model cannot do names it, too', async () => {
  const work: RequestWork = {};
  const engine = createEngine([embedder().slot]);
  const answer = engine.rerank(
    { model: 'bge', query: 'q', documents: ['d'], rawScores: false },
    { ...context(), work },
  );
  await expect(answer).rejects.toMatchObject({ code: 'capability_missing' });
  expect(work).toEqual({ model: 'bge' });
});
