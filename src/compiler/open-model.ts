import type { ModelFolder } from '../contracts/model-folder.ts';
import { openCheckpoint } from '../formats/open-checkpoint.ts';
import type { TextModel } from './architectures/architecture.ts';
import { findArchitecture } from './architectures/registry.ts';
import { isStaticEmbedding, staticEmbedding } from './architectures/static-embedding.ts';
import { buildGraph, planModel, type WantedTask } from './build-graph.ts';
import { describeModel, type ModelDescription } from './describe-model.ts';
import type { Graph } from './graph/graph.ts';
import type { Tensors } from './heads/head.ts';

/** A model as a float32 graph whose weights are still in the checkpoint. */
export interface OpenedModel {
  readonly description: ModelDescription;
  readonly graph: Graph;
  /** After it the weights can no longer be read. */
  close(): Promise<void>;
}

interface NamedModel {
  /** `model_type`, or what stands for it. */
  readonly architecture: string;
  /** Of a static embedding the checkpoint alone knows the sizes. */
  readonly configure: (tensors: Tensors) => TextModel;
}

/** Reads the config before a weight is looked at: what is not supported is refused first. */
function findModel(folder: ModelFolder): NamedModel {
  if (isStaticEmbedding(folder)) {
    return { architecture: 'static-embedding', configure: (tensors) => staticEmbedding(folder, tensors) };
  }
  const architecture = findArchitecture(folder);
  const model = architecture.configure(folder.config);
  return { architecture: architecture.modelType, configure: () => model };
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
 * Reads a model folder's files and lays out its graph. Whoever opens it closes it. Throws `invalid_model_folder`,
 * `invalid_checkpoint` or `unsupported_architecture`.
 */
export async function openModel(folder: ModelFolder, task: WantedTask): Promise<OpenedModel> {
  const { architecture, configure } = findModel(folder);
  const checkpoint = await openCheckpoint(folder);
  try {
    const plan = planModel(folder, configure(checkpoint.tensors), checkpoint.tensors, task);
    const { graph, unreadTensors } = buildGraph(plan, checkpoint);
    return {
      description: describeModel(architecture, plan, task, unreadTensors),
      graph,
      close: () => checkpoint.close(),
    };
  } catch (error) {
    await checkpoint.close();
    throw error;
  }
}
