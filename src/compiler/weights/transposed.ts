import { readWhole } from './read-whole.ts';
import type { Weight } from './weight.ts';

function transpose(values: Float32Array, rows: number, columns: number): Float32Array {
  const result = new Float32Array(values.length);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      result[column * rows + row] = values[row * columns + column]!;
    }
  }
  return result;
}

/** `[rows, columns]` to `[columns, rows]`: checkpoints store linear layers `[out, in]`, MatMul takes `[in, out]`. */
export function transposed(weight: Weight): Weight {
  const [rows = 1, columns = 1] = weight.dims;
  return {
    name: `${weight.name}:transposed`,
    dims: [columns, rows],
    chunks: () => [transpose(readWhole(weight), rows, columns)],
  };
}
