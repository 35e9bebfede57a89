import path from 'node:path';
import type { CompiledModel, Precision } from '../../contracts/compiled-model.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';
import { locateModuleWeights } from '../../formats/locate-checkpoint.ts';
import { OPERATOR_SET } from '../../formats/onnx/encode-model.ts';
import { hasSignedInt8, isQuantized } from '../../formats/onnx/onnx-file.ts';
import { readOnnxFile } from '../../formats/onnx/read-onnx-file.ts';
import { openCheckpoint } from '../../formats/open-checkpoint.ts';
import { buildGraph, inputsOf } from '../build-graph.ts';
import { asCompileError } from '../compile-error.ts';
import type { CompileOptions } from '../compile-model.ts';
import { describeModel } from '../describe-model.ts';
import type { Graph } from '../graph/graph.ts';
import { fileModel } from './file-model.ts';
import { forOperatorSet } from './for-operator-set.ts';
import { renameValues } from './rename-values.ts';
import { writeExtendedGraph } from './write-extended-graph.ts';

/** Of a file the precision is only a word: what was asked for. */
type FileOptions = Omit<CompileOptions, 'precision'> & { readonly precision: Precision };

/** Stands before our names: exporters use names like ours. */
const PREFIX = 'infinity/';

/** Names our values apart from the file's, but for those that are the file's own. */
function tied(graph: Graph, ties: ReadonlyMap<string, string>): Graph {
  return renameValues(graph, (name) => ties.get(name) ?? PREFIX + name);
}

function prefixed<Named extends { readonly name: string }>(values: readonly Named[]): readonly Named[] {
  return values.map((value) => ({ ...value, name: PREFIX + value.name }));
}

async function compileFile(
  folder: ModelFolder,
  onnxFile: string,
  { outputFolder, contentKey, precision, task }: FileOptions,
): Promise<CompiledModel> {
  const filePath = path.join(folder.path, onnxFile);
  const file = readOnnxFile(filePath, onnxFile);
  const modules = await openCheckpoint(folder, locateModuleWeights(folder));
  try {
    const { model, head, ties } = fileModel(folder, { file, fileName: onnxFile, tensors: modules.tensors, task });
    const plan = { model, head, inputs: inputsOf(folder, model) };
    const { graph } = buildGraph(plan, modules);
    const ours = forOperatorSet(tied(graph, ties), file.operatorSets.get('') ?? OPERATOR_SET);
    const architecture = typeof folder.config.model_type === 'string' ? folder.config.model_type : 'onnx';
    const description = describeModel(architecture, plan, task, []);
    return {
      ...description,
      inputs: prefixed(description.inputs),
      outputs: prefixed(description.outputs),
      graphPath: await writeExtendedGraph({ file, filePath, ours }, architecture, outputFolder),
      contentKey,
      precision,
      ...(isQuantized(file) && hasSignedInt8(file) ? { wideInt8: true } : {}),
    };
  } finally {
    await modules.close();
  }
}

/**
 * Turns a ready-made ONNX file of a model folder into a graph like those of `compileModel`: the same inputs, and what
 * `modules.json` says after the file's own output. Throws as `compileModel` does.
 */
export async function compileOnnxFile(
  folder: ModelFolder,
  onnxFile: string,
  options: FileOptions,
): Promise<CompiledModel> {
  try {
    return await compileFile(folder, onnxFile, options);
  } catch (error) {
    throw asCompileError(error, `${onnxFile} of model '${folder.id}' could not be read`);
  }
}
