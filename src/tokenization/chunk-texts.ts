export interface ChunkLimits {
  readonly maxCharacters: number;
  readonly maxTexts: number;
}

/** Splits texts, in order, into chunks within the limits; a text over the limit of characters is a chunk of its own. */
export function chunkTexts<T extends { readonly text: string }>(
  texts: readonly T[],
  { maxCharacters, maxTexts }: ChunkLimits,
): readonly (readonly T[])[] {
  const chunks: T[][] = [];
  let chunk: T[] = [];
  let characters = 0;
  for (const entry of texts) {
    if (chunk.length > 0 && (characters + entry.text.length > maxCharacters || chunk.length >= maxTexts)) {
      chunks.push(chunk);
      chunk = [];
      characters = 0;
    }
    chunk.push(entry);
    characters += entry.text.length;
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
}
