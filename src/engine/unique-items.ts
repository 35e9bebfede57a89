import { ServiceError } from '../contracts/errors.ts';

export interface UniqueItems<Item> {
  /** Each item once, in the order of first appearance. */
  readonly unique: readonly Item[];
  /** For each original item its position in `unique`. */
  readonly positions: readonly number[];
}

/** Finds equal items, which are computed once: texts, or lists of ids or of texts. */
export function uniqueItems<Item>(items: readonly Item[]): UniqueItems<Item> {
  // A map of texts cannot mistake a list for its JSON.
  const maps = { text: new Map<Item | string, number>(), list: new Map<Item | string, number>() };
  const unique: Item[] = [];
  const positions = items.map((item) => {
    const [map, key] = typeof item === 'string' ? [maps.text, item] : [maps.list, JSON.stringify(item)];
    const known = map.get(key);
    if (known !== undefined) return known;
    map.set(key, unique.length);
    return unique.push(item) - 1;
  });
  return { unique, positions };
}

/** Gives each original item the result of its unique one. */
export function spread<T>(results: readonly T[], positions: readonly number[]): readonly T[] {
  return positions.map((position) => {
    const result = results[position];
    if (result !== undefined) return result;
    throw new ServiceError('internal_error', `Expected a result for text ${position}, got ${results.length} results`);
  });
}
