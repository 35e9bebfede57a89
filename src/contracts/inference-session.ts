/** A dense tensor, row-major. `data.length` is the product of `dims`. */
export interface Tensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly data: Int32Array | Float32Array;
}

export interface SessionOptions {
  /** Threads that share the work of one operator. */
  readonly threads: number;
  /** Products of signed 8-bit numbers are widened where the CPU's own would saturate: see `CompiledModel.wideInt8`. */
  readonly wideInt8?: boolean;
}

/** A graph that can be run. ONNX Runtime is one implementation; a run blocks the thread that calls it. */
export interface InferenceSession {
  run(inputs: readonly Tensor[]): Promise<readonly Tensor[]>;
  dispose(): Promise<void>;
}
