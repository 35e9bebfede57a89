import { readWhole } from './read-whole.ts';
import type { Weight } from './weight.ts';

/** Each row of a table `[rows, width]` times its own number of `factors` `[rows]`. */
export function rowsScaled(table: Weight, factors: Weight): Weight {
  const width = table.dims[1] ?? 0;
  function* scaled(): Iterable<Float32Array> {
    const factorOf = readWhole(factors);
    let position = 0;
    for (const chunk of table.chunks()) {
      const values = Float32Array.from(chunk);
      for (let index = 0; index < values.length; index += 1) {
        values[index]! *= factorOf[Math.floor((position + index) / width)]!;
      }
      position += chunk.length;
      yield values;
    }
  }
  return { name: `${table.name}*${factors.name}`, dims: table.dims, chunks: scaled };
}
