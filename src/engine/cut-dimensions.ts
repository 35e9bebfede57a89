/** Below this a vector counts as zero and is left as it is; the value of PyTorch's `normalize`. */
const SMALLEST_NORM = 1e-12;

/**
 * The first `dimensions` numbers of a vector, normalised again (matryoshka), in a new array. A model may also be asked
 * for fewer dimensions when its own vectors are not normalised; the cut ones always are, as clients of OpenAI's field
 * expect. Without a cut the vector is returned as it is.
 */
export function cutDimensions(vector: Float32Array, dimensions: number): Float32Array {
  if (dimensions === vector.length) return vector;
  const cut = vector.slice(0, dimensions);
  let squares = 0;
  for (const number of cut) squares += number * number;
  const norm = Math.max(Math.sqrt(squares), SMALLEST_NORM);
  return cut.map((number) => number / norm);
}
