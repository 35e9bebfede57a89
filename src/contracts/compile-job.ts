import type { CompiledModel, Dtype, Task } from './compiled-model.ts';

/** What becomes of a quantised graph that lost too much: a closer one instead, an error, or it is kept. */
export type OnQualityLoss = 'fall-back' | 'refuse' | 'keep';

/** How a ready-made ONNX file's vectors of tokens become one; `auto`: as the model's files say. */
export type PoolingMethod = 'auto' | 'mean' | 'cls';

/** Work for a short-lived inference process: read a model folder, write a graph. Plain JSON. */
export interface CompileRequest {
  readonly modelId: string;
  /** Absolute path of the model folder. */
  readonly modelPath: string;
  /** The ready-made ONNX file to take, relative to the model folder; the checkpoint where none is given. */
  readonly onnxFile?: string;
  /** Of an ONNX file; a checkpoint's own files always say it. */
  readonly pooling: PoolingMethod;
  readonly dtype: Dtype;
  readonly onQualityLoss: OnQualityLoss;
  /** Of the machine that will run the graph. */
  readonly architecture: string;
  readonly cpuAbilities: readonly string[];
  readonly threads: number;
  /** What the model is to be served for; `auto`: whatever its files say. */
  readonly task: Task | 'auto';
  /** An existing, empty folder that receives the graph and its weights. */
  readonly outputFolder: string;
  readonly contentKey: string;
}

/** Compiles in a process of its own and resolves when that process has exited. Rejects with a `ServiceError`. */
export type CompileJob = (request: CompileRequest, signal?: AbortSignal) => Promise<CompiledModel>;
