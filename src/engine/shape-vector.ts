/** What float32 leaves of a length of 1; such a vector is not divided again, which would change its last digits. */
const UNIT_TOLERANCE = 1e-6;

/** Below this a vector counts as zero and is left as it is; the value of PyTorch's `normalize`. */
const SMALLEST_NORM = 1e-12;

export interface VectorShape {
  readonly dimensions: number;
  /** `false`: as the model's own modules leave it, as in sentence-transformers. `undefined`: so, too, unless it is cut. */
  readonly normalize: boolean | undefined;
}

/**
 * The first `dimensions` numbers of a vector (matryoshka), of length 1 where that is asked for, in a new array; the vector
 * itself where nothing is to be done. A cut vector is normalised unless that is declined, even where the model's own
 * vectors are not, as clients of OpenAI's field expect.
 */
export function shapeVector(vector: Float32Array, { dimensions, normalize }: VectorShape): Float32Array {
  const isCut = dimensions < vector.length;
  const cut = isCut ? vector.slice(0, dimensions) : vector;
  if (!(normalize ?? isCut)) return cut;
  let squares = 0;
  for (const number of cut) squares += number * number;
  const norm = Math.max(Math.sqrt(squares), SMALLEST_NORM);
  if (Math.abs(norm - 1) < UNIT_TOLERANCE) return cut;
  return cut.map((number) => number / norm);
}
