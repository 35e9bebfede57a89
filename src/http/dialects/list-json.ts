/** The JSON text of a list, a piece for each entry. */
export function* listJson<Entry>(
  entries: readonly Entry[],
  entryJson: (entry: Entry, index: number) => string,
): Generator<string> {
  yield '[';
  for (const [index, entry] of entries.entries()) yield (index === 0 ? '' : ',') + entryJson(entry, index);
  yield ']';
}
