import { ServiceError } from '../contracts/errors.ts';

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
  return positions.map((position) => {
    const result = results[position];
    if (result !== undefined) return result;
    throw new ServiceError('internal_error', `Expected a result for text ${position}, got ${results.length} results`);
  });
}
