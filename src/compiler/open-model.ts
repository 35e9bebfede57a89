import type { CompiledModel } from '../contracts/compiled-model.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import { openCheckpoint } from '../formats/open-checkpoint.ts';
import type { TextModel } from './architectures/architecture.ts';
import { findArchitecture } from './architectures/registry.ts';
import { isStaticEmbedding, staticEmbedding } from './architectures/static-embedding.ts';
import { buildGraph, type ModelPlan, planModel, type WantedTask } from './build-graph.ts';
import type { Graph } from './graph/graph.ts';
import type { Tensors } from './heads/head.ts';

/** What is known of a model before it is decided in which numbers its graph computes. */
export type ModelDescription = Omit<
  CompiledModel,
  'graphPath' | 'contentKey' | 'precision' | 'variant' | 'quality' | 'warning'
>;

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
  if (isStaticEmbedding(folder))
    return { architecture: 'static-embedding', configure: (tensors) => staticEmbedding(folder, tensors) };
  const architecture = findArchitecture(folder);
  const model = architecture.configure(folder.config);
  return { architecture: architecture.modelType, configure: () => model };
}

function describe(
  architecture: string,
  { model, head, inputs }: ModelPlan,
  task: WantedTask,
  unreadTensors: readonly string[],
): ModelDescription {
  return {
    tasks: task === 'auto' ? head.tasks : [task],
    architecture,
    inputs,
    outputs: head.outputs,
    ...(head.classification === undefined ? {} : { classification: head.classification }),
    ...(model.staticTokens === undefined ? {} : { staticTokens: model.staticTokens }),
    ...(head.pairPrompt === undefined ? {} : { pairPrompt: head.pairPrompt }),
    vocabularySize: model.vocabularySize,
    maxPositions: model.maxPositions,
    unreadTensors,
  };
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
      description: describe(architecture, plan, task, unreadTensors),
      graph,
      close: () => checkpoint.close(),
    };
  } catch (error) {
    await checkpoint.close();
    throw error;
  }
}
