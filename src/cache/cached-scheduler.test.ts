import { expect, test } from 'vitest';
import type { GraphOutput } from '../contracts/compiled-model.ts';
import type { Scheduler, SubmitOptions } from '../contracts/scheduler.ts';
import type { Encoding } from '../contracts/tokenizer.ts';
import { cachedScheduler } from './cached-scheduler.ts';
import { createMemoryStore } from './memory-store.ts';

const output = (role: GraphOutput['role'], per: GraphOutput['per'], width: number): GraphOutput => ({
  name: role,
  role,
  per,
  width,
  firstToken: 0,
  ignoredIds: [],
});
const EMBEDDING = output('embedding', 'item', 2);
const COLBERT = output('colbert', 'token', 1);

/** The sum and the count of an item's ids; its ids, one for each token. */
function counting() {
  const submissions: { items: readonly Encoding[]; options: SubmitOptions | undefined }[] = [];
  const scheduler: Scheduler = {
    submit(items, options) {
      submissions.push({ items, options });
      return Promise.resolve(
        items.map(({ ids }) => [
          Float32Array.of(
            ids.reduce((sum, id) => sum + id, 0),
            ids.length,
          ),
          Float32Array.from(ids),
        ]),
      );
    },
    reserve: () => () => undefined,
    load: () => ({ queuedItems: 1, queuedTokens: 2, runningItems: 3 }),
    failure: () => undefined,
    drain: () => Promise.resolve(),
  };
  const submitted = () => submissions.map(({ items }) => items.map(({ ids }) => [...ids]));
  return { scheduler, submissions, submitted };
}

const item = (...ids: number[]): Encoding => ({ ids: Int32Array.from(ids), typeIds: new Int32Array(ids.length) });
const store = () => createMemoryStore(1024 * 1024);
const model = (contentKey: string, outputs = [EMBEDDING, COLBERT]) => ({ contentKey, outputs });

test('only what is not known is computed, and the answer keeps the order of the items', async () => {
  const { scheduler, submitted } = counting();
  const use = { hits: 0, misses: 0 };
  const cached = cachedScheduler(scheduler, { store: store(), model: model('m'), use });
  const first = await cached.submit([item(1), item(2, 3)]);
  const second = await cached.submit([item(9), item(2, 3), item(8), item(1)]);
  expect(submitted()).toEqual([
    [[1], [2, 3]],
    [[9], [8]],
  ]);
  expect([second[1], second[3]]).toEqual([first[1], first[0]]);
  expect(second.map((rows) => rows[0]?.[0])).toEqual([9, 5, 8, 1]);
  expect(use).toEqual({ hits: 2, misses: 4 });
  expect(cached.load()).toEqual(scheduler.load());
});

test('another model, and other type ids, are other items', async () => {
  const { scheduler, submitted } = counting();
  const shared = store();
  const one = cachedScheduler(scheduler, { store: shared, model: model('m') });
  await one.submit([item(1, 2)]);
  await cachedScheduler(scheduler, { store: shared, model: model('n') }).submit([item(1, 2)]);
  await one.submit([{ ids: Int32Array.of(1, 2), typeIds: Int32Array.of(0, 1) }]);
  expect(submitted()).toHaveLength(3);
});

test('pairs that join to the same text are told apart: ab with c, a with bc', async () => {
  const { scheduler, submitted } = counting();
  const cached = cachedScheduler(scheduler, { store: store(), model: model('m') });
  const pair = (...typeIds: number[]) => ({ ids: Int32Array.of(1, 2, 3), typeIds: Int32Array.from(typeIds) });
  await cached.submit([pair(0, 0, 1)]);
  await cached.submit([pair(0, 1, 1)]);
  expect(submitted()).toHaveLength(2);
});

test('a request that wants no cache neither looks nor leaves anything', async () => {
  const { scheduler, submitted } = counting();
  const cached = cachedScheduler(scheduler, { store: store(), model: model('m') });
  await cached.submit([item(1)], { cache: false });
  await cached.submit([item(1)]);
  await cached.submit([item(1)], { cache: false });
  expect(submitted()).toHaveLength(3);
});

test('only the outputs that are asked for are kept and looked for', async () => {
  const { scheduler, submitted } = counting();
  const shared = store();
  const cached = cachedScheduler(scheduler, { store: shared, model: model('m') });
  await cached.submit([item(1, 2)], { outputs: [0] });
  expect((await shared.stats()).entries).toBe(1);
  expect(await cached.submit([item(1, 2)], { outputs: [0] })).toEqual([[Float32Array.of(3, 2), new Float32Array()]]);
  expect(await cached.submit([item(1, 2)])).toEqual([[Float32Array.of(3, 2), Float32Array.of(1, 2)]]);
  expect(submitted()).toHaveLength(2);
});

test('the options go to the scheduler, whose error is the answer', async () => {
  const { scheduler, submissions } = counting();
  const options = { signal: new AbortController().signal };
  await cachedScheduler(scheduler, { store: store(), model: model('m') }).submit([item(1)], options);
  expect(submissions[0]?.options).toEqual(options);
  const failing = { ...scheduler, submit: () => Promise.reject(new Error('run failed')) };
  await expect(cachedScheduler(failing, { store: store(), model: model('m') }).submit([item(1)])).rejects.toThrow(
    'run failed',
  );
});

test('a row of another size in a shared store is computed again', async () => {
  const { scheduler, submitted } = counting();
  const shared = store();
  const outputs = (width: number) => [{ ...EMBEDDING, width }];
  await cachedScheduler(scheduler, { store: shared, model: model('m', outputs(2)) }).submit([item(1)]);
  await cachedScheduler(scheduler, { store: shared, model: model('m', outputs(3)) }).submit([item(1)]);
  expect(submitted()).toHaveLength(2);
});
