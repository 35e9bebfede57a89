export interface CachedEntry {
  readonly name: string;
  readonly bytes: number;
  readonly lastUsedMs: number;
}

/** Names to remove, least recently used first, until the rest fits `limitBytes`; an entry used since `keepAfterMs` stays. */
export function planEviction(entries: readonly CachedEntry[], limitBytes: number, keepAfterMs: number): string[] {
  let total = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  const removed: string[] = [];
  for (const entry of [...entries].sort((a, b) => a.lastUsedMs - b.lastUsedMs)) {
    if (total <= limitBytes || entry.lastUsedMs >= keepAfterMs) break;
    removed.push(entry.name);
    total -= entry.bytes;
  }
  return removed;
}
