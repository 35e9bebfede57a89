import { expect, test } from 'vitest';
import { planRuns } from './plan-runs.ts';
import { type Item, Submission } from './submission.ts';
import { WaitingItems } from './waiting-items.ts';

const ignore = { onRows: () => {}, onError: () => {} };

function itemsOf(lengths: readonly number[], submission = new Submission(lengths.length, ignore)): Item[] {
  return lengths.map((length, index) => ({
    submission,
    index,
    encoding: { ids: new Int32Array(length), typeIds: new Int32Array(length) },
  }));
}

function waitingOf(...groups: readonly Item[][]): WaitingItems {
  const waiting = new WaitingItems();
  for (const group of groups) waiting.add(group);
  return waiting;
}

test('counts items and tokens', () => {
  const waiting = waitingOf(itemsOf([3, 5]), itemsOf([2]));
  expect([waiting.count, waiting.tokens]).toEqual([3, 10]);
});

test('shows the lengths of the oldest items', () => {
  const waiting = waitingOf(itemsOf([3, 5, 2]));
  expect(waiting.oldestLengths(2)).toEqual([3, 5]);
  expect(waiting.oldestLengths(9)).toEqual([3, 5, 2]);
});

test('takes items from anywhere and leaves the others in order', () => {
  const waiting = waitingOf(itemsOf([1, 2, 3, 4, 5]));
  expect(waiting.take([1, 3]).map(({ index }) => index)).toEqual([1, 3]);
  expect(waiting.oldestLengths(9)).toEqual([1, 3, 5]);
  expect(waiting.tokens).toBe(9);
  expect(waiting.take([])).toEqual([]);
  expect(waiting.take([0, 1, 2])).toHaveLength(3);
  expect([waiting.count, waiting.tokens]).toEqual([0, 0]);
});

test('drops what belongs to one submission', () => {
  const gone = new Submission(2, ignore);
  const waiting = waitingOf(itemsOf([1, 2], gone), itemsOf([4]), itemsOf([8], gone));
  waiting.drop(gone);
  expect(waiting.oldestLengths(9)).toEqual([4]);
  expect(waiting.tokens).toBe(4);
});

test('clears', () => {
  const waiting = waitingOf(itemsOf([1, 2]));
  waiting.clear();
  expect([waiting.count, waiting.tokens]).toEqual([0, 0]);
});

test('20,000 items of 500 lengths are planned and taken run by run without going over the queue each time', () => {
  const waiting = waitingOf(itemsOf(Array.from({ length: 20_000 }, (_, index) => 1 + ((index * 7919) % 500))));
  let taken = 0;
  let runs = 0;
  while (waiting.count > 0) {
    const [run = []] = planRuns(waiting.oldestLengths(2_048), { maxBatchTokens: 4_096, maxBatchItems: 32 });
    taken += waiting.take(run).length;
    runs += 1;
  }
  expect(taken).toBe(20_000);
  expect(runs).toBeGreaterThan(1_000);
});
