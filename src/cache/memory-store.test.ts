import { expect, test } from 'vitest';
import { describeVectorStore, entryOf, keyOf } from '../../test/contract/vector-store.ts';
import { createMemoryStore } from './memory-store.ts';

describeVectorStore('in memory', () => Promise.resolve(createMemoryStore(1024 * 1024)));

const ENTRY_BYTES = 320 + 4;

test('the least recently used rows make room when the bound is reached', async () => {
  const store = createMemoryStore(3 * ENTRY_BYTES);
  await store.setMany([entryOf('a', 1), entryOf('b', 2), entryOf('c', 3)]);
  await store.getMany([keyOf('a')]);
  await store.setMany([entryOf('d', 4)]);
  const found = await store.getMany(['a', 'b', 'c', 'd'].map(keyOf));
  expect(found.map((row) => row?.[0])).toEqual([1, undefined, 3, 4]);
  expect(await store.stats()).toMatchObject({ entries: 3, bytes: 3 * ENTRY_BYTES, evictions: 1 });
});

test('a row that is larger than the bound is left out and drives nothing out', async () => {
  const store = createMemoryStore(2 * ENTRY_BYTES);
  await store.setMany([entryOf('a', 1), { key: keyOf('huge'), row: new Float32Array(1000) }]);
  expect((await store.getMany([keyOf('a'), keyOf('huge')])).map((row) => row?.length)).toEqual([1, undefined]);
});

test('setting a key again counts its bytes once', async () => {
  const store = createMemoryStore(1000);
  await store.setMany([entryOf('a', 1), entryOf('a', 1)]);
  expect(await store.stats()).toMatchObject({ entries: 1, bytes: ENTRY_BYTES });
});
