import { readWhole } from './read-whole.ts';
import { rowsOf } from './rows-of.ts';
import type { Weight } from './weight.ts';

/** Factors of one change for each of several tasks. */
export interface LowRankFactors {
  /** `[tasks, rows, rank]` */
  readonly left: Weight;
  /** `[tasks, rank, columns]` */
  readonly right: Weight;
  readonly task: number;
  readonly scale: number;
}

/** Adds `scale * left right` of the task to a weight `[rows, columns]`, piece by piece as the weight is read. */
export function withLowRank(weight: Weight, { left, right, task, scale }: LowRankFactors): Weight {
  const [, columns = 1] = weight.dims;
  const [, , rank = 1] = left.dims;
  function* sums(): Iterable<Float32Array> {
    const leftValues = readWhole(rowsOf(left, task, task + 1));
    const rightValues = readWhole(rowsOf(right, task, task + 1));
    let row = 0;
    let column = 0;
    for (const chunk of weight.chunks()) {
      const sum = Float32Array.from(chunk);
      for (let index = 0; index < sum.length; index += 1) {
        let product = 0;
        for (let inner = 0; inner < rank; inner += 1) {
          product += leftValues[row * rank + inner]! * rightValues[inner * columns + column]!;
        }
        sum[index]! += product * scale;
        column = column + 1 === columns ? 0 : column + 1;
        if (column === 0) row += 1;
      }
      yield sum;
    }
  }
  return { name: `${weight.name}:with ${left.name} ${task} ${scale}`, dims: weight.dims, chunks: sums };
}
