import { expect, test } from 'vitest';
import { RequestQueue } from './request-queue.ts';
import { USUAL_COSTS } from './run-costs.ts';
import { Submission } from './submission.ts';

const budget = { maxBatchTokens: 4_096, maxBatchItems: 32 };
const newSubmission = (items: number) => new Submission(items, { onRows: () => {}, onError: () => {} });
const encoding = (id: number, length: number) => ({
  ids: new Int32Array(length).fill(id),
  typeIds: new Int32Array(length),
});

test('the tokens of a request that wait follow its items: queued, taken, given back, joined', () => {
  const queue = new RequestQueue(budget);
  const first = newSubmission(2);
  const second = newSubmission(1);
  queue.add([encoding(1, 3), encoding(2, 5)], first);
  expect(first.queuedTokens).toBe(8);
  const run = queue.take(USUAL_COSTS, 1);
  expect([first.queuedTokens, queue.load]).toEqual([5, { items: 1, tokens: 5 }]);
  queue.add([encoding(1, 3)], second);
  expect(second.queuedTokens).toBe(0);
  queue.giveBack(run);
  expect([first.queuedTokens, second.queuedTokens, queue.load]).toEqual([8, 3, { items: 2, tokens: 8 }]);
});

test('an item that waits at the end of a bulk request moves up when a query asks for it', () => {
  const queue = new RequestQueue(budget);
  const lengths = Array.from({ length: 50 }, (_, index) => encoding(index, 100 + index));
  queue.add(lengths, newSubmission(50));
  queue.take(USUAL_COSTS, 1);
  queue.add([encoding(49, 149)], newSubmission(1));
  const next = [queue.take(USUAL_COSTS, 2), queue.take(USUAL_COSTS, 2)].flat();
  expect(next.map(({ length }) => length)).toContain(149);
  expect(queue.load.items).toBe(47);
});

test('what is dropped is gone at once, and what nobody wants is not given back', () => {
  const queue = new RequestQueue(budget);
  const submission = newSubmission(2);
  const items = queue.add([encoding(1, 3), encoding(2, 5)], submission);
  const run = queue.take(USUAL_COSTS, 1);
  queue.drop(items, submission);
  expect(queue.load).toEqual({ items: 0, tokens: 0 });
  queue.giveBack(run);
  expect(queue.load).toEqual({ items: 0, tokens: 0 });
  const again = newSubmission(1);
  queue.add([encoding(1, 3)], again);
  expect(again.queuedTokens).toBe(3);
});

test('100,000 waiting items of 500 lengths: a plan takes well under a millisecond, dropping a request a few', () => {
  const queue = new RequestQueue(budget);
  const submissions = Array.from({ length: 50 }, () => newSubmission(2_000));
  const added = submissions.map((submission, request) => {
    const encodings = Array.from({ length: 2_000 }, (_, index) =>
      encoding(request * 2_000 + index, 1 + ((index * 7919) % 500)),
    );
    return queue.add(encodings, submission);
  });
  expect(queue.load.items).toBe(100_000);
  const startedMs = performance.now();
  for (let run = 0; run < 1_000; run += 1) queue.take(USUAL_COSTS, 50);
  const planMs = (performance.now() - startedMs) / 1_000;
  const dropStartedMs = performance.now();
  for (const [index, submission] of submissions.entries()) queue.drop(added[index] ?? [], submission);
  const dropMs = (performance.now() - dropStartedMs) / submissions.length;
  console.log(
    `100,000 items wait: a plan takes ${planMs.toFixed(3)} ms, dropping 2,000 of them ${dropMs.toFixed(2)} ms`,
  );
  expect(queue.load).toEqual({ items: 0, tokens: 0 });
  // Ten times what it takes on two slow cores.
  expect(planMs).toBeLessThan(1);
  expect(dropMs).toBeLessThan(30);
});
