import { elementCount, type Weight } from './weight.ts';

/** The rows `from <= row < to` of a matrix `[rows, columns]`. */
export function rows(weight: Weight, from: number, to: number): Weight {
  const rest = weight.dims.slice(1);
  const rowSize = elementCount(rest);
  function* cut(): Iterable<Float32Array> {
    let position = 0;
    for (const chunk of weight.chunks()) {
      const start = Math.max(from * rowSize - position, 0);
      const end = Math.min(to * rowSize - position, chunk.length);
      if (start < end) yield chunk.subarray(start, end);
      position += chunk.length;
      if (position >= to * rowSize) return;
    }
  }
  return { name: `${weight.name}:rows ${from}-${to}`, dims: [to - from, ...rest], chunks: cut };
}
