import { expect, test } from 'vitest';
import { describeVectorStore, entryOf, keyOf } from '../../test/contract/vector-store.ts';
import { layeredStore } from './layered-store.ts';
import { createMemoryStore } from './memory-store.ts';

const memory = () => createMemoryStore(1024 * 1024);

describeVectorStore('of one layer', () => Promise.resolve(layeredStore([memory()])));

test('each layer is asked for what those before it did not know, and found rows move to the front', async () => {
  const [near, far] = [memory(), memory()];
  await near.setMany([entryOf('a', 1)]);
  await far.setMany([entryOf('b', 2)]);
  const layered = layeredStore([near, far]);
  const keys = ['b', 'a', 'c'].map(keyOf);
  expect((await layered.getMany(keys)).map((row) => row?.[0])).toEqual([2, 1, undefined]);
  expect(await far.stats()).toMatchObject({ hits: 1, misses: 1 });
  expect(await near.getMany([keyOf('b')])).toEqual([Float32Array.of(2)]);
  expect(await layered.stats()).toMatchObject({ hits: 3, misses: 1 });
  expect(layered.counts()).toEqual(await layered.stats());
});

test('what is set is set in all layers', async () => {
  const layers = [memory(), memory()];
  await layeredStore(layers).setMany([entryOf('a', 1)]);
  for (const layer of layers) expect(await layer.getMany([keyOf('a')])).toEqual([Float32Array.of(1)]);
});
