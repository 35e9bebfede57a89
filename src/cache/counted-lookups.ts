import type { VectorStore } from '../contracts/vector-store.ts';
import { countLookups, type LookupCounts } from './store-counts.ts';

/** The store as one of its users has it: counts what that one asks it for. What was bypassed or late counts as missed. */
export function countedLookups(store: VectorStore, counts: LookupCounts): VectorStore {
  return {
    ...store,
    async getMany(keys) {
      const rows = await store.getMany(keys);
      countLookups(counts, rows);
      return rows;
    },
  };
}
