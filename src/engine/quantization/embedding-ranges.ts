/** The least and the largest number of each dimension over a set of vectors; both `[dim]`. */
export interface EmbeddingRanges {
  readonly low: Float32Array;
  readonly high: Float32Array;
}

export function embeddingRanges(vectors: readonly Float32Array[]): EmbeddingRanges {
  const width = vectors[0]?.length ?? 0;
  const low = new Float32Array(width).fill(Number.POSITIVE_INFINITY);
  const high = new Float32Array(width).fill(Number.NEGATIVE_INFINITY);
  for (const vector of vectors) {
    for (const [index, value] of vector.entries()) {
      if (value < (low[index] ?? 0)) low[index] = value;
      if (value > (high[index] ?? 0)) high[index] = value;
    }
  }
  return { low, high };
}
