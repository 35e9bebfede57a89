import { expect, test } from 'vitest';
import { describeVectorStore, entryOf, keyOf } from '../../test/contract/vector-store.ts';
import { createMemoryStore } from './memory-store.ts';

describeVectorStore('in memory', () => Promise.resolve(createMemoryStore(1024 * 1024)));

const rows = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => ({
    key: keyOf(`row ${from + index}`),
    row: new Float32Array(384).fill(from + index),
  }));

test('it stays within its bound; rows that are used stay, others go', async () => {
  const limitBytes = 1024 * 1024;
  const store = createMemoryStore(limitBytes);
  for (let from = 0; from < 3000; from += 10) {
    await store.setMany(rows(10, from));
    await store.getMany([keyOf('row 0')]);
    expect((await store.stats()).bytes).toBeLessThanOrEqual(limitBytes);
  }
  const found = await store.getMany(['row 0', 'row 1', 'row 2999'].map(keyOf));
  expect(found.map((row) => row?.[0])).toEqual([0, undefined, 2999]);
  const { entries = 0, evictions } = await store.stats();
  expect(entries).toBeGreaterThan(400);
  expect(evictions).toBe(3000 - entries);
});

test('a row that is larger than a sixteenth of the bound is left out and drives nothing out', async () => {
  const store = createMemoryStore(16 * 400);
  await store.setMany([entryOf('a', 1), { key: keyOf('huge'), row: new Float32Array(101) }]);
  expect((await store.getMany([keyOf('a'), keyOf('huge')])).map((row) => row?.length)).toEqual([1, undefined]);
});

test('setting a key again takes no more room', async () => {
  const store = createMemoryStore(100_000);
  for (let round = 0; round < 100; round += 1) await store.setMany(rows(1));
  expect(await store.stats()).toMatchObject({ entries: 1, bytes: 6248 + 320, evictions: 0 });
});

test('what a caller was given is not changed by what comes later', async () => {
  const store = createMemoryStore(64 * 1024);
  await store.setMany(rows(1));
  const [row] = await store.getMany([keyOf('row 0')]);
  await store.setMany(rows(200, 1));
  expect(row).toEqual(new Float32Array(384));
});
