import type { DenseVector, EmbeddingDtype } from '../../contracts/engine.ts';
import type { EmbeddingRanges } from './embedding-ranges.ts';

/** Buckets between the least and the largest number of a dimension. */
const STEPS = 255;

/** Whether the dtype maps each number by its dimension's range. */
export function needsRanges(dtype: EmbeddingDtype): boolean {
  return dtype === 'int8' || dtype === 'uint8';
}

/**
 * A vector in another dtype, by the formulas of sentence-transformers (`quantize_embeddings`), which the original uses:
 * int8 and uint8 take each number's bucket in its dimension's range, truncated; a number outside the range gets the bucket
 * at its end, where the original's wraps around. binary and ubinary have a bit for each number, set above 0, the first
 * dimension in the highest bit; binary is ubinary less 128.
 */
export function quantizeVector(vector: Float32Array, dtype: EmbeddingDtype, ranges: EmbeddingRanges): DenseVector {
  switch (dtype) {
    case 'float32':
      return vector;
    case 'uint8':
      return Uint8Array.from(buckets(vector, ranges));
    case 'int8':
      return Int8Array.from(buckets(vector, ranges), (bucket) => Math.trunc(bucket - 128));
    case 'ubinary':
      return packedBits(vector);
    case 'binary':
      return Int8Array.from(packedBits(vector), (byte) => byte - 128);
  }
}

/** Not yet truncated: `int8` truncates towards its own zero. */
function buckets(vector: Float32Array, { low, high }: EmbeddingRanges): number[] {
  return Array.from(vector, (value, index) => {
    const least = low[index] ?? 0;
    const step = ((high[index] ?? 0) - least) / STEPS;
    // A dimension that never varied says nothing: its middle.
    if (!(step > 0)) return 128;
    return Math.min(STEPS, Math.max(0, (value - least) / step));
  });
}

function packedBits(vector: Float32Array): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(vector.length / 8));
  for (const [index, value] of vector.entries()) {
    if (value > 0) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (0x80 >> (index & 7));
  }
  return bytes;
}
