import { readWhole } from './read-whole.ts';
import type { Weight } from './weight.ts';

/**
 * Adds the first row of a table `[any, width]` to every row of another `[rows, width]`: what the graph would add to each
 * token in every run is added once.
 */
export function withRowAdded(table: Weight, row: Weight): Weight {
  const [rows = 0, width = 0] = table.dims;
  const sum = () => {
    const values = readWhole(table);
    const added = readWhole(row);
    for (let index = 0; index < rows * width; index += 1) values[index]! += added[index % width]!;
    return values;
  };
  return { name: `${table.name}+${row.name}`, dims: table.dims, chunks: () => [sum()] };
}
