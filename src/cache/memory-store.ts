import type { VectorStore } from '../contracts/vector-store.ts';
import { countLookups, newCounts } from './store-counts.ts';

/** What an entry takes beside its numbers: the key, the array's objects, its place in the map. Measured with 384 numbers. */
const ENTRY_OVERHEAD_BYTES = 320;

/** Keeps rows in this process; the least recently used ones make room once `limitBytes` are taken. */
export function createMemoryStore(limitBytes: number): VectorStore {
  /** In the order of last use: a map keeps the order of insertion. */
  const rows = new Map<string, Float32Array>();
  const counts = newCounts();
  let bytes = 0;

  function remove(key: string): void {
    const row = rows.get(key);
    if (row === undefined) return;
    rows.delete(key);
    bytes -= sizeOf(row);
  }

  function makeRoom(): void {
    for (const key of rows.keys()) {
      if (bytes <= limitBytes) return;
      remove(key);
      counts.evictions += 1;
    }
  }

  function use(key: string): Float32Array | undefined {
    const row = rows.get(key);
    if (row === undefined) return undefined;
    rows.delete(key);
    rows.set(key, row);
    return row;
  }

  return {
    name: 'memory',
    getMany(keys) {
      const found = keys.map(use);
      countLookups(counts, found);
      return Promise.resolve(found);
    },
    setMany(entries) {
      for (const { key, row } of entries) {
        if (sizeOf(row) > limitBytes) continue;
        remove(key);
        rows.set(key, ownCopy(row));
        bytes += sizeOf(row);
      }
      makeRoom();
      return Promise.resolve();
    },
    stats: () => Promise.resolve({ ...counts, entries: rows.size, bytes, limitBytes }),
    clear() {
      rows.clear();
      bytes = 0;
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}

function sizeOf(row: Float32Array): number {
  return row.byteLength + ENTRY_OVERHEAD_BYTES;
}

/** A view would keep the numbers of its whole run. */
function ownCopy(row: Float32Array): Float32Array {
  return row.byteLength === row.buffer.byteLength ? row : row.slice();
}
