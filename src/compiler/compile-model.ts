import type { CompiledModel, Precision } from '../contracts/compiled-model.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import type { WantedTask } from './build-graph.ts';
import { asCompileError } from './compile-error.ts';
import type { Graph } from './graph/graph.ts';
import { narrowWeights } from './graph/narrow-weights.ts';
import { writeGraph } from './graph/write-graph.ts';
import { openModel } from './open-model.ts';

/** Precisions that a checkpoint is stored in as it is; int8 needs calibration. */
export type StoredPrecision = Exclude<Precision, 'int8'>;

export interface CompileOptions {
  /** Absolute path of an existing, empty folder. */
  readonly outputFolder: string;
  readonly contentKey: string;
  readonly precision: StoredPrecision;
  readonly task: WantedTask;
}

function inPrecision(graph: Graph, precision: StoredPrecision): Graph {
  switch (precision) {
    case 'float32':
      return graph;
    case 'float16':
      return narrowWeights(graph, 'FLOAT16');
    case 'bfloat16':
      return narrowWeights(graph, 'BFLOAT16');
  }
}

/**
 * Turns a model folder into `graph.onnx` and `weights.bin` in `outputFolder`. Files are read and written
 * synchronously: it belongs in a process of its own. Throws `invalid_model_folder`, `invalid_checkpoint`,
 * `unsupported_architecture`, or `compile_failed` for anything else.
 */
export async function compileModel(
  folder: ModelFolder,
  { outputFolder, contentKey, precision, task }: CompileOptions,
): Promise<CompiledModel> {
  try {
    const { description, graph, close } = await openModel(folder, task);
    try {
      const graphPath = await writeGraph(inPrecision(graph, precision), description.architecture, outputFolder);
      return { ...description, graphPath, contentKey, precision };
    } finally {
      await close();
    }
  } catch (error) {
    throw asCompileError(error, `model '${folder.id}' could not be compiled`);
  }
}
