export interface UniqueTexts {
  /** Each text once, in the order of first appearance. */
  readonly unique: readonly string[];
  /** For each original text its position in `unique`. */
  readonly positions: readonly number[];
}

/** Finds equal texts, which are computed once. */
export function uniqueTexts(texts: readonly string[]): UniqueTexts {
  const positionOf = new Map<string, number>();
  const positions = texts.map((text) => {
    const position = positionOf.get(text) ?? positionOf.size;
    positionOf.set(text, position);
    return position;
  });
  return { unique: [...positionOf.keys()], positions };
}

/** Gives each original text the result of its unique one. */
export function spread<T>(results: readonly T[], positions: readonly number[]): readonly T[] {
  return positions.flatMap((position) => results.slice(position, position + 1));
}
