/**
 * Groups of equally long encodings, at most so many items and tokens in each; an item that is longer stands alone.
 *
 * @template {{ readonly ids: { readonly length: number } }} T
 * @param {readonly T[]} encodings
 * @param {{ maxItems: number, maxTokens: number }} limits
 * @returns {readonly (readonly T[])[]}
 */
export function groupByLength(encodings, { maxItems, maxTokens }) {
  /** @type {Map<number, T[]>} */
  const byLength = new Map();
  for (const encoding of encodings) {
    const same = byLength.get(encoding.ids.length) ?? [];
    same.push(encoding);
    byLength.set(encoding.ids.length, same);
  }
  return [...byLength].flatMap(([length, same]) => {
    const size = Math.max(1, Math.min(maxItems, Math.floor(maxTokens / length)));
    return Array.from({ length: Math.ceil(same.length / size) }, (_, index) =>
      same.slice(index * size, (index + 1) * size),
    );
  });
}
