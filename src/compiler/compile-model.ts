import type { CompiledModel, Precision } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import { openCheckpoint } from '../formats/open-checkpoint.ts';
import type { TextModel } from './architectures/architecture.ts';
import { findArchitecture } from './architectures/registry.ts';
import { isStaticEmbedding, staticEmbedding } from './architectures/static-embedding.ts';
import { buildGraph, planModel, type WantedTask } from './build-graph.ts';
import type { Graph } from './graph/graph.ts';
import { narrowWeights } from './graph/narrow-weights.ts';
import { writeGraph } from './graph/write-graph.ts';
import type { Tensors } from './heads/head.ts';

export interface CompileOptions {
  /** Absolute path of an existing, empty folder. */
  readonly outputFolder: string;
  readonly contentKey: string;
  readonly precision: Precision;
  readonly task: WantedTask;
}

interface NamedModel {
  /** `model_type`, or what stands for it. */
  readonly architecture: string;
  /** Of a static embedding the checkpoint alone knows the sizes. */
  readonly configure: (tensors: Tensors) => TextModel;
}

/** Reads the config before a weight is looked at: what is not supported is refused first. */
function findModel(folder: ModelFolder): NamedModel {
  if (isStaticEmbedding(folder)) return { architecture: 'static-embedding', configure: staticEmbedding };
  const architecture = findArchitecture(folder);
  const model = architecture.configure(folder.config);
  return { architecture: architecture.modelType, configure: () => model };
}

function inPrecision(graph: Graph, precision: Precision): Graph {
  switch (precision) {
    case 'float32':
      return graph;
    case 'float16':
      return narrowWeights(graph, 'FLOAT16');
    case 'bfloat16':
      return narrowWeights(graph, 'BFLOAT16');
  }
}

async function compile(folder: ModelFolder, options: CompileOptions): Promise<CompiledModel> {
  const { architecture, configure } = findModel(folder);
  const checkpoint = await openCheckpoint(folder);
  try {
    const plan = planModel(folder, configure(checkpoint.tensors), checkpoint.tensors, options.task);
    const { model, head, inputs } = plan;
    const { graph, unreadTensors } = buildGraph(plan, checkpoint);
    const stored = inPrecision(graph, options.precision);
    return {
      graphPath: await writeGraph(stored, architecture, options.outputFolder),
      contentKey: options.contentKey,
      tasks: options.task === 'auto' ? head.tasks : [options.task],
      precision: options.precision,
      architecture,
      inputs,
      outputs: head.outputs,
      ...(head.classification === undefined ? {} : { classification: head.classification }),
      ...(head.pairPrompt === undefined ? {} : { pairPrompt: head.pairPrompt }),
      vocabularySize: model.vocabularySize,
      maxPositions: model.maxPositions,
      unreadTensors,
    };
  } finally {
    await checkpoint.close();
  }
}

/**
 * Looks at a folder's config and the header of its weights only. Throws what `compileModel` would throw about them:
 * `invalid_model_folder`, `invalid_checkpoint` or `unsupported_architecture`.
 */
export async function checkCompilable(folder: ModelFolder, task: WantedTask): Promise<void> {
  const { configure } = findModel(folder);
  const checkpoint = await openCheckpoint(folder);
  try {
    planModel(folder, configure(checkpoint.tensors), checkpoint.tensors, task);
  } finally {
    await checkpoint.close();
  }
}

/**
 * Turns a model folder into `graph.onnx` and `weights.bin` in `outputFolder`. Files are read and written
 * synchronously: it belongs in a process of its own. Throws `invalid_model_folder`, `invalid_checkpoint`,
 * `unsupported_architecture`, or `compile_failed` for anything else.
 */
export async function compileModel(folder: ModelFolder, options: CompileOptions): Promise<CompiledModel> {
  try {
    return await compile(folder, options);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServiceError('compile_failed', `model '${folder.id}' could not be compiled: ${reason}`, { cause: error });
  }
}
