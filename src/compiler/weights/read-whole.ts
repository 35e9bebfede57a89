import { elementCount, type Weight } from './weight.ts';

/** All numbers of a weight at once: for those that cannot be changed piece by piece. */
export function readWhole(weight: Weight): Float32Array {
  const values = new Float32Array(elementCount(weight.dims));
  let filled = 0;
  for (const chunk of weight.chunks()) {
    values.set(chunk, filled);
    filled += chunk.length;
  }
  return values;
}
