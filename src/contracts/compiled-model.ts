/** What a model is for. Also the capability names of the wire format. */
export type Task = 'embed' | 'rerank' | 'classify';

export type Precision = 'float32';

/** What a graph input carries; `name` is the input's name in the graph. All inputs are int32 `[batch, sequence]`. */
export interface GraphInput {
  readonly name: string;
  readonly role: 'input_ids' | 'token_type_ids';
}

/**
 * A graph on disk, ready for a session, and what one must know to feed it. Plain JSON: it is stored beside the graph and
 * crosses process boundaries. Made by `compiler`, or later from a repository's own `onnx/` files.
 */
export interface CompiledModel {
  /** Absolute path of the ONNX file; its weights are external data beside it. */
  readonly graphPath: string;
  /** Changes whenever the results could: checkpoint, compiler, runtime, precision. */
  readonly contentKey: string;
  readonly task: Task;
  readonly precision: Precision;
  /** `model_type` of the checkpoint. */
  readonly architecture: string;
  readonly inputs: readonly GraphInput[];
  /** float32 `[batch, outputWidth]`: one pooled vector, or the logits, per item. */
  readonly outputName: string;
  readonly outputWidth: number;
  /** Ids are valid in `0 <= id < vocabularySize`. */
  readonly vocabularySize: number;
  /** The longest sequence the graph can take, in tokens (its position table). */
  readonly maxPositions: number;
  /** Tensors of the checkpoint that nothing read, to be reported at start. */
  readonly unreadTensors: readonly string[];
}
