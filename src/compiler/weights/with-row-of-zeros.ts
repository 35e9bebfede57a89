import type { Weight } from './weight.ts';

/** A table `[rows, width]` with a row of zeros after its last one. */
export function withRowOfZeros(table: Weight): Weight {
  const [rows = 0, width = 0] = table.dims;
  function* chunks(): Iterable<Float32Array> {
    yield* table.chunks();
    yield new Float32Array(width);
  }
  return { name: `${table.name}+row of zeros`, dims: [rows + 1, width], chunks };
}
