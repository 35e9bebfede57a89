import type { VectorStore } from '../contracts/vector-store.ts';
import { countLookups, newCounts } from './store-counts.ts';

/** A full store loses this part of it at once, less what of it was used lately. */
const SLABS_AT_LIMIT = 16;
/** What an entry takes beside its numbers: its key, its place, their place in the map. `bench:vector-cache` measures it. */
const ENTRY_OVERHEAD_BYTES = 320;

/** Rows side by side: one array of its own for each row would take twice the memory. */
interface Slab {
  readonly numbers: Float32Array;
  /** Numbers in use. */
  length: number;
  readonly keys: string[];
}

interface Place {
  readonly slab: Slab;
  readonly start: number;
  readonly length: number;
}

/**
 * Keeps rows in this process. They fill slabs, one after the other; the oldest slab makes room once `limitBytes` are taken,
 * and a row that is used while it lies in the older half moves to the newest, so those go that were not used for longest.
 */
export function createMemoryStore(limitBytes: number): VectorStore {
  const slabLength = Math.floor(limitBytes / SLABS_AT_LIMIT / Float32Array.BYTES_PER_ELEMENT);
  const places = new Map<string, Place>();
  /** The newest is last. */
  let slabs: Slab[] = [];
  /** Freed numbers that the next slab takes, so that the process does not grow while slabs come and go. */
  let spare: Float32Array | undefined;
  const counts = newCounts();

  const takenBytes = () =>
    slabs.length * slabLength * Float32Array.BYTES_PER_ELEMENT + places.size * ENTRY_OVERHEAD_BYTES;

  function removeOldest(): void {
    const oldest = slabs.shift();
    if (oldest === undefined) return;
    for (const key of oldest.keys) {
      if (places.get(key)?.slab === oldest && places.delete(key)) counts.evictions += 1;
    }
    spare = oldest.numbers;
  }

  function slabFor(length: number): Slab {
    const newest = slabs.at(-1);
    if (newest !== undefined && newest.length + length <= slabLength) return newest;
    while (slabs.length > 0 && takenBytes() > limitBytes - slabLength * Float32Array.BYTES_PER_ELEMENT) removeOldest();
    const slab = { numbers: spare ?? new Float32Array(slabLength), length: 0, keys: [] };
    spare = undefined;
    slabs.push(slab);
    return slab;
  }

  function add(key: string, row: Float32Array): void {
    if (row.length > slabLength) return;
    const slab = slabFor(row.length);
    slab.numbers.set(row, slab.length);
    places.set(key, { slab, start: slab.length, length: row.length });
    slab.keys.push(key);
    slab.length += row.length;
    while (slabs.length > 1 && takenBytes() > limitBytes) removeOldest();
  }

  function use(key: string): Float32Array | undefined {
    const place = places.get(key);
    if (place === undefined) return undefined;
    const { slab, start, length } = place;
    const row = slab.numbers.slice(start, start + length);
    if (takenBytes() > limitBytes / 2 && slabs.indexOf(slab) < slabs.length / 2) add(key, row);
    return row;
  }

  const known = () => ({ ...counts, entries: places.size, bytes: takenBytes(), limitBytes });

  return {
    name: 'memory',
    getMany(keys) {
      const found = keys.map(use);
      countLookups(counts, found);
      return Promise.resolve(found);
    },
    setMany(entries) {
      for (const { key, row } of entries) if (!places.has(key)) add(key, row);
      return Promise.resolve();
    },
    counts: known,
    stats: () => Promise.resolve(known()),
    clear() {
      places.clear();
      slabs = [];
      spare = undefined;
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}
