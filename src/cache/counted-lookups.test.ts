import { expect, test } from 'vitest';
import { entryOf, keyOf } from '../../test/contract/vector-store.ts';
import { countedLookups } from './counted-lookups.ts';
import { createMemoryStore } from './memory-store.ts';

test('each user of a store has counts of its own', async () => {
  const store = createMemoryStore(1024 * 1024);
  const [one, other] = [
    { hits: 0, misses: 0 },
    { hits: 0, misses: 0 },
  ];
  await countedLookups(store, one).setMany([entryOf('a', 1)]);
  expect(await countedLookups(store, one).getMany([keyOf('a'), keyOf('b')])).toEqual([Float32Array.of(1), undefined]);
  await countedLookups(store, other).getMany([keyOf('b')]);
  expect([one, other]).toEqual([
    { hits: 1, misses: 1 },
    { hits: 0, misses: 1 },
  ]);
  expect(store.counts()).toMatchObject({ hits: 1, misses: 2, entries: 1 });
});
