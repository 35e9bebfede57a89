/** A model in memory, to those who need room. */
export interface Resident {
  readonly bytes: number;
  /** Whether a request has it now: then it takes until that is done to be rid of it. */
  readonly isInUse: boolean;
  readonly lastUsedMs: number;
}

/**
 * Which models go so that `neededBytes` more fit into the limit: those that nobody uses first, and of them the least recently
 * used. `undefined` when it does not fit even alone.
 */
export function chooseDropped<T extends Resident>(
  residents: readonly T[],
  neededBytes: number,
  limitBytes: number,
): readonly T[] | undefined {
  if (neededBytes > limitBytes) return undefined;
  const order = [...residents].sort((a, b) => Number(a.isInUse) - Number(b.isInUse) || a.lastUsedMs - b.lastUsedMs);
  let total = residents.reduce((sum, { bytes }) => sum + bytes, neededBytes);
  const dropped: T[] = [];
  for (const resident of order) {
    if (total <= limitBytes) break;
    dropped.push(resident);
    total -= resident.bytes;
  }
  return dropped;
}
