/** Numbers that a graph will hold, read or computed only when they are written. float32, row-major. */
export interface Weight {
  /** Unique among the weights of a graph: the tensor's name in the checkpoint, and what was done to it. */
  readonly name: string;
  readonly dims: readonly number[];
  /** A table that is computed stays in float32, whatever the checkpoint's numbers are stored in. */
  readonly isComputed?: boolean;
  /** In order, in pieces of any size. */
  chunks(): Iterable<Float32Array>;
}

export function elementCount(dims: readonly number[]): number {
  return dims.reduce((product, size) => product * size, 1);
}
