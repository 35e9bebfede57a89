import { elementCount, type Weight } from './weight.ts';

/** Cuts the pieces of a weight so that only the numbers from `first` to before `end` remain. */
function* between(weight: Weight, first: number, end: number): Iterable<Float32Array> {
  let position = 0;
  for (const chunk of weight.chunks()) {
    const from = Math.max(first - position, 0);
    const to = Math.min(end - position, chunk.length);
    if (from < to) yield chunk.subarray(from, to);
    position += chunk.length;
    if (position >= end) return;
  }
}

/**
 * Rows `first` to before `end` of a weight `[rows, …]`: one layer of several that a checkpoint stores as one, or a part of a
 * matrix that is too large for one product.
 */
export function rowsOf(weight: Weight, first: number, end: number): Weight {
  const [, ...rest] = weight.dims;
  const width = elementCount(rest);
  return {
    name: `${weight.name}:rows ${first}-${end}`,
    dims: [end - first, ...rest],
    chunks: () => between(weight, first * width, end * width),
  };
}
