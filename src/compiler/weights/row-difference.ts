import { readWhole } from './read-whole.ts';
import { rowsOf } from './rows-of.ts';
import type { Weight } from './weight.ts';

/**
 * One row of a matrix `[rows, width]` less another, as `[width, 1]`: what x @ row - x @ other needs of a large matrix.
 * Without `other` the row itself.
 */
export function rowDifference(matrix: Weight, row: number, other: number | undefined): Weight {
  const [, width = 0] = matrix.dims;
  const difference = () => {
    const values = readWhole(rowsOf(matrix, row, row + 1));
    if (other === undefined) return values;
    const subtracted = readWhole(rowsOf(matrix, other, other + 1));
    return values.map((value, index) => value - (subtracted[index] ?? 0));
  };
  return { name: `${matrix.name}:row ${row}-${other}`, dims: [width, 1], chunks: () => [difference()] };
}
