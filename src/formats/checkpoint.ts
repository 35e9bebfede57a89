/** One tensor of a checkpoint, read only when its numbers are asked for. */
export interface CheckpointTensor {
  readonly name: string;
  /** File that holds it, relative to the model folder: for messages. */
  readonly fileName: string;
  /** Storage type in safetensors spelling: `F32`, `F16`, `BF16`, `I64`, ... */
  readonly dtype: string;
  readonly dims: readonly number[];
  /**
   * The numbers in row-major order, widened to float32, in pieces of a few megabytes: a large table is never in memory
   * as a whole. Throws `invalid_checkpoint` where the storage type is not a float type or the file cannot be read.
   */
  chunks(): Iterable<Float32Array>;
}

/** The weights of a model, whatever files they are in. */
export interface Checkpoint {
  readonly tensors: ReadonlyMap<string, CheckpointTensor>;
  close(): Promise<void>;
}
