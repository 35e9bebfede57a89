import { hash } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import type { VectorEntry, VectorStore } from '../../src/contracts/vector-store.ts';

export const keyOf = (name: string) => hash('sha256', name, 'base64url');
export const entryOf = (name: string, ...numbers: number[]): VectorEntry => ({
  key: keyOf(name),
  row: Float32Array.from(numbers),
});
const keysOf = (...names: string[]) => names.map(keyOf);

const bitsOf = (row: Float32Array | undefined) => row && new Uint32Array(row.buffer, row.byteOffset, row.length);

/** What every store does. `open` gives an empty one. */
export function describeVectorStore(name: string, open: () => Promise<VectorStore>): void {
  describe(`the vector store ${name}`, () => {
    const opened: VectorStore[] = [];
    const openStore = async () => {
      const store = await open();
      opened.push(store);
      return store;
    };
    afterEach(async () => {
      for (const store of opened.splice(0)) {
        await store.clear();
        await store.close();
      }
    });

    test('knows nothing at first, and nothing of no keys', async () => {
      const store = await openStore();
      expect(await store.getMany(keysOf('a', 'b'))).toEqual([undefined, undefined]);
      expect(await store.getMany([])).toEqual([]);
    });

    test('gives back bit for bit what was set, in the order of the keys, also when one is asked for twice', async () => {
      const store = await openStore();
      const odd = entryOf('odd', -0, 1e-45, 3.4e38, 1 / 3);
      await store.setMany([entryOf('a', 1, 2), odd]);
      const [first, none, second, again] = await store.getMany(keysOf('odd', 'none', 'a', 'odd'));
      expect(bitsOf(first)).toEqual(bitsOf(odd.row));
      expect([none, second, again]).toEqual([undefined, Float32Array.of(1, 2), odd.row]);
    });

    test('keeps a part of a larger array, and no more of it', async () => {
      const store = await openStore();
      const run = Float32Array.of(0, 1, 2, 3, 4);
      await store.setMany([{ key: keyOf('view'), row: run.subarray(1, 3) }]);
      const [row] = await store.getMany(keysOf('view'));
      expect(row).toEqual(Float32Array.of(1, 2));
      expect(row?.buffer.byteLength).toBe(8);
    });

    test('keeps rows of any length, an empty one too', async () => {
      const store = await openStore();
      const long = { key: keyOf('long'), row: Float32Array.from({ length: 5000 }, (_, index) => index / 7) };
      await store.setMany([entryOf('empty'), long]);
      expect(await store.getMany(keysOf('long', 'empty'))).toEqual([long.row, new Float32Array()]);
    });

    test('takes many entries at once and many calls at once', async () => {
      const store = await openStore();
      const entries = Array.from({ length: 300 }, (_, index) => entryOf(`many ${index}`, index, -index));
      await Promise.all([0, 1, 2].map((part) => store.setMany(entries.slice(100 * part, 100 * part + 100))));
      const found = await Promise.all(entries.map(({ key }) => store.getMany([key])));
      expect(found.flat()).toEqual(entries.map(({ row }) => row));
      expect(await store.getMany(entries.map(({ key }) => key))).toEqual(entries.map(({ row }) => row));
    });

    test('counts what it was asked for', async () => {
      const store = await openStore();
      await store.setMany([entryOf('a', 1), entryOf('b', 2)]);
      await store.getMany(keysOf('a', 'x', 'b'));
      expect(await store.stats()).toMatchObject({ hits: 2, misses: 1, entries: 2, errors: 0, bypassed: 0 });
      expect(store.counts()).toMatchObject({ hits: 2, misses: 1, errors: 0, bypassed: 0 });
    });

    test('forgets all when it is cleared, and takes entries again', async () => {
      const store = await openStore();
      await store.setMany([entryOf('a', 1)]);
      await store.clear();
      expect(await store.getMany(keysOf('a'))).toEqual([undefined]);
      expect((await store.stats()).entries).toBe(0);
      await store.setMany([entryOf('a', 1)]);
      expect(await store.getMany(keysOf('a'))).toEqual([Float32Array.of(1)]);
    });

    test('finishes what it was given when it is closed', async () => {
      const store = await open();
      const writing = store.setMany([entryOf('a', 1)]);
      await store.close();
      await expect(writing).resolves.toBeUndefined();
    });
  });
}
