/** What every store counts. */
export interface StoreCounts {
  hits: number;
  misses: number;
  evictions: number;
  errors: number;
  bypassed: number;
}

export function newCounts(): StoreCounts {
  return { hits: 0, misses: 0, evictions: 0, errors: 0, bypassed: 0 };
}

export type LookupCounts = Pick<StoreCounts, 'hits' | 'misses'>;

export function countLookups(counts: LookupCounts, rows: readonly (Float32Array | undefined)[]): void {
  const hits = rows.reduce((sum, row) => sum + (row === undefined ? 0 : 1), 0);
  counts.hits += hits;
  counts.misses += rows.length - hits;
}
