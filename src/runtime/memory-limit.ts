/** Bytes that the text of a `memory.max` file grants; `undefined` where it sets no limit. */
export function parseMemoryMax(text: string): number | undefined {
  const bytes = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
