import type { VectorStore, VectorStoreStats } from '../contracts/vector-store.ts';

/** Several stores as one (at least one), the nearest first: what a farther one finds is set in those before it. */
export function layeredStore(stores: readonly VectorStore[]): VectorStore {
  return {
    name: stores.map(({ name }) => name).join(', '),
    async getMany(keys) {
      const rows: (Float32Array | undefined)[] = keys.map(() => undefined);
      let missing = keys.map((key, index) => ({ key, index }));
      for (const [depth, store] of stores.entries()) {
        if (missing.length === 0) break;
        const found = await store.getMany(missing.map(({ key }) => key));
        const entries = missing.flatMap(({ key }, place) => {
          const row = found[place];
          return row === undefined ? [] : [{ key, row }];
        });
        for (const [place, { index }] of missing.entries()) rows[index] = found[place];
        if (depth > 0 && entries.length > 0) {
          for (const nearer of stores.slice(0, depth)) void nearer.setMany(entries).catch(() => undefined);
        }
        missing = missing.filter((_, place) => found[place] === undefined);
      }
      return rows;
    },
    async setMany(entries) {
      await Promise.all(stores.map((store) => store.setMany(entries)));
    },
    counts: () => stores.map((store) => store.counts()).reduce(sumOf),
    async stats() {
      const all = await Promise.all(stores.map((store) => store.stats()));
      return all.reduce(sumOf);
    },
    async clear() {
      await Promise.all(stores.map((store) => store.clear()));
    },
    async close() {
      await Promise.all(stores.map((store) => store.close()));
    },
  };
}

/** What none of them had is what the last one did not have. */
function sumOf(one: VectorStoreStats, next: VectorStoreStats): VectorStoreStats {
  const both = (a: number | undefined, b: number | undefined) =>
    a === undefined || b === undefined ? undefined : a + b;
  return {
    entries: both(one.entries, next.entries),
    bytes: both(one.bytes, next.bytes),
    limitBytes: both(one.limitBytes, next.limitBytes),
    hits: one.hits + next.hits,
    misses: next.misses,
    evictions: one.evictions + next.evictions,
    errors: one.errors + next.errors,
    bypassed: one.bypassed + next.bypassed,
  };
}
