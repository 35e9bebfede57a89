import type { StoredWeight } from '../graph/graph.ts';
import { readWhole } from '../weights/read-whole.ts';
import type { Weight } from '../weights/weight.ts';

export interface QuantizedMatrix {
  /** int8 `[in, out]` */
  readonly values: StoredWeight;
  /** float32 `[out]`: what one step of a column stands for. */
  readonly steps: Weight;
}

/** A column of zeros must not be divided by 0. */
const LEAST_STEP = 1e-30;

function columnSteps(matrix: Float32Array, columns: number, levels: number): Float32Array {
  const steps = new Float32Array(columns);
  for (let index = 0; index < matrix.length; ) {
    for (let column = 0; column < columns; column += 1, index += 1) {
      const size = Math.abs(matrix[index]!);
      if (size > steps[column]!) steps[column] = size;
    }
  }
  return steps.map((largest) => Math.max(largest / levels, LEAST_STEP));
}

function toWholeNumbers(matrix: Float32Array, steps: Float32Array): Int8Array {
  const values = new Int8Array(matrix.length);
  const factors = Float64Array.from(steps, (step) => 1 / step);
  for (let index = 0; index < matrix.length; ) {
    for (let column = 0; column < factors.length; column += 1, index += 1) {
      values[index] = Math.round(matrix[index]! * factors[column]!);
    }
  }
  return values;
}

/** A matrix `[in, out]` in whole numbers from `-levels` to `levels`, with a step for each column. */
export function quantizeMatrix(weight: Weight, levels: number): QuantizedMatrix {
  const [, columns = 1] = weight.dims;
  let known: Float32Array | undefined;
  const stepsOf = (matrix: Float32Array): Float32Array => {
    known ??= columnSteps(matrix, columns, levels);
    return known;
  };
  return {
    values: {
      name: `${weight.name}:${levels} levels`,
      dims: weight.dims,
      elementType: 'INT8',
      bytePieces() {
        const matrix = readWhole(weight);
        return [new Uint8Array(toWholeNumbers(matrix, stepsOf(matrix)).buffer)];
      },
    },
    steps: {
      name: `${weight.name}:${levels} levels:steps`,
      dims: [columns],
      chunks: () => [known ?? stepsOf(readWhole(weight))],
    },
  };
}
