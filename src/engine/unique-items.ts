export interface UniqueItems {
  readonly unique: readonly string[];
  /** For each of the given texts, its place in `unique`. */
  readonly places: readonly number[];
}

/** Equal texts of a request are computed once. */
export function uniqueItems(texts: readonly string[]): UniqueItems {
  const places = new Map<string, number>();
  for (const text of texts) if (!places.has(text)) places.set(text, places.size);
  return { unique: [...places.keys()], places: texts.map((text) => places.get(text) ?? 0) };
}
