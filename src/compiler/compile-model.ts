import type { CompiledModel, GraphInput, Precision, Task } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import type { CheckpointTensor } from '../formats/checkpoint.ts';
import { openCheckpoint } from '../formats/safetensors/open-checkpoint.ts';
import type { TextModel } from './architectures/architecture.ts';
import { findArchitecture } from './architectures/registry.ts';
import { detectTask } from './detect-task.ts';
import type { Graph } from './graph/graph.ts';
import { GraphBuilder } from './graph/graph-builder.ts';
import { writeGraph } from './graph/write-graph.ts';
import type { Head } from './heads/head.ts';
import { HEADS } from './heads/registry.ts';
import { tokenizerGivesTypeIds } from './tokenizer-type-ids.ts';
import { WeightScope } from './weights/weight-scope.ts';

export interface CompileOptions {
  /** Absolute path of an existing, empty folder. */
  readonly outputFolder: string;
  readonly contentKey: string;
  readonly precision: Precision;
}

/** What the files of a model say before a weight is looked at. */
interface ModelPlan {
  readonly architecture: string;
  readonly task: Task;
  readonly model: TextModel;
  readonly head: Head;
  readonly inputs: readonly GraphInput[];
}

function planModel(folder: ModelFolder): ModelPlan {
  const architecture = findArchitecture(folder);
  const model = architecture.configure(folder.config);
  const task = detectTask(folder);
  const inputs: GraphInput[] = [{ name: 'input_ids', role: 'input_ids' }];
  if (model.tokenTypes > 1 && tokenizerGivesTypeIds(folder.tokenizerConfig)) {
    inputs.push({ name: 'token_type_ids', role: 'token_type_ids' });
  }
  return { architecture: architecture.modelType, task, model, head: HEADS[task](folder, model), inputs };
}

interface BuiltGraph {
  readonly graph: Graph;
  readonly unreadTensors: readonly string[];
}

function buildGraph(plan: ModelPlan, tensors: ReadonlyMap<string, CheckpointTensor>): BuiltGraph {
  const g = new GraphBuilder();
  const root = new WeightScope(tensors);
  const body = root.rootedAt(plan.model.anchor);
  const values = new Map(plan.inputs.map(({ name, role }) => [role, g.input(name, 'INT32', ['batch', 'sequence'])]));
  const ids = values.get('input_ids') ?? g.input('input_ids', 'INT32', ['batch', 'sequence']);
  const inputs = { ids, typeIds: values.get('token_type_ids') };
  const hidden = plan.model.hidden(g, body, inputs, plan.head.wantedTokens);
  g.output(plan.head.outputName, plan.head.apply(g, root, body, hidden));
  return { graph: g.build(), unreadTensors: root.unread() };
}

async function compile(folder: ModelFolder, options: CompileOptions): Promise<CompiledModel> {
  const plan = planModel(folder);
  const checkpoint = await openCheckpoint(folder);
  try {
    const { graph, unreadTensors } = buildGraph(plan, checkpoint.tensors);
    return {
      graphPath: await writeGraph(graph, plan.architecture, options.outputFolder),
      contentKey: options.contentKey,
      task: plan.task,
      precision: options.precision,
      architecture: plan.architecture,
      inputs: plan.inputs,
      outputName: plan.head.outputName,
      outputWidth: plan.head.outputWidth,
      vocabularySize: plan.model.vocabularySize,
      maxPositions: plan.model.maxPositions,
      unreadTensors,
    };
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
