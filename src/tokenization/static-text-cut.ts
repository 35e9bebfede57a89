/** The first `count` characters of a text, whole code points. */
export function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  // No character has more than two units, so the rest cannot matter.
  return [...text.slice(0, 2 * count)].slice(0, count).join('');
}

/** The median length of tokens in code points, rounded down, as model2vec takes it; at least one token. */
export function medianLength(tokens: readonly string[]): number {
  const lengths = Uint32Array.from(tokens, (token) => [...token].length).sort();
  const middle = lengths.length / 2;
  const [lower = 0, upper = 0] = [lengths[Math.ceil(middle) - 1], lengths[Math.floor(middle)]];
  return Math.floor((lower + upper) / 2);
}
