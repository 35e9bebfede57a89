export interface VectorEntry {
  /** sha256 in base64url, of everything that changes the numbers. */
  readonly key: string;
  readonly row: Float32Array;
}

export interface VectorStoreStats {
  /** `undefined` where it cannot be had now. */
  readonly entries: number | undefined;
  readonly bytes: number | undefined;
  /** `undefined` where something else sets the bound. */
  readonly limitBytes: number | undefined;
  /** Keys asked for since the start, found and not found. */
  readonly hits: number;
  readonly misses: number;
  /** Entries that made room for others. */
  readonly evictions: number;
  /** Lookups and writes that failed or were late, and damaged entries. */
  readonly errors: number;
  /** Lookups and writes that were left out because the store was not answering, or not keeping up. */
  readonly bypassed: number;
}

/**
 * Keeps rows of numbers by key and may forget any of them at any time. What it gives is bit for bit what was set, and
 * shared: never to be changed.
 */
export interface VectorStore {
  /** For logs: what it is and where, without secrets. */
  readonly name: string;
  /** What is known, in the order of the keys. */
  getMany(keys: readonly string[]): Promise<readonly (Float32Array | undefined)[]>;
  /** Resolves when the entries can be found. A row that is larger than the store's bound is left out. */
  setMany(entries: readonly VectorEntry[]): Promise<void>;
  /** What it knows of itself now, without asking anybody. */
  counts(): VectorStoreStats;
  /** The same, once it has counted what it holds. */
  stats(): Promise<VectorStoreStats>;
  clear(): Promise<void>;
  /** Finishes the writes in hand; nothing may be asked for afterwards. */
  close(): Promise<void>;
}

/** Which store, what it has counted, and what each model has asked it for. */
export interface VectorStoreUse {
  readonly store: 'memory' | 'disk' | 'redis';
  readonly counts: VectorStoreStats;
  readonly lookups: readonly VectorLookups[];
}

export interface VectorLookups {
  /** Served name. */
  readonly model: string;
  /** Keys that it was asked for: answered with a row, and others. */
  readonly hits: number;
  readonly misses: number;
}
