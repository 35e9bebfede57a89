import path from 'node:path';
import type { CompiledModel, Precision } from '../../contracts/compiled-model.ts';
import { ServiceError } from '../../contracts/errors.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';
import { locateModuleWeights } from '../../formats/locate-checkpoint.ts';
import { hasSignedInt8, isQuantized } from '../../formats/onnx/onnx-file.ts';
import { readOnnxFile } from '../../formats/onnx/read-onnx-file.ts';
import { openCheckpoint } from '../../formats/open-checkpoint.ts';
import { buildGraph, inputsOf } from '../build-graph.ts';
import type { CompileOptions } from '../compile-model.ts';
import type { Graph } from '../graph/graph.ts';
import { fileModel } from './file-model.ts';
import { forOperatorSet } from './for-operator-set.ts';
import { renameValues } from './rename-values.ts';
import { writeExtendedGraph } from './write-extended-graph.ts';

/** Of a file the precision is only a word: what was asked for. */
type FileOptions = Omit<CompileOptions, 'precision'> & { readonly precision: Precision };

/** Stands before our names: exporters use names like ours. */
const PREFIX = 'infinity/';
const OUR_OPERATOR_SET = 17;

/** Names our values apart from the file's, but for those that are the file's own. */
function tied(graph: Graph, ties: ReadonlyMap<string, string>): Graph {
  return renameValues(graph, (name) => ties.get(name) ?? PREFIX + name);
}

/**
 * Turns a ready-made ONNX file of a model folder into a graph like those of `compileModel`: the same inputs, and what
 * `modules.json` says after the file's own output. Throws as `compileModel` does.
 */
export async function compileOnnxFile(
  folder: ModelFolder,
  onnxFile: string,
  { outputFolder, contentKey, precision, task }: FileOptions,
): Promise<CompiledModel> {
  const filePath = path.join(folder.path, onnxFile);
  const file = readOnnxFile(filePath, onnxFile);
  const modules = await openCheckpoint(folder, locateModuleWeights(folder));
  try {
    const { model, head, ties } = fileModel(folder, { file, fileName: onnxFile, tensors: modules.tensors, task });
    const inputs = inputsOf(folder, model);
    const { graph } = buildGraph({ model, head, inputs }, modules);
    const ours = forOperatorSet(tied(graph, ties), file.operatorSets.get('') ?? OUR_OPERATOR_SET);
    const architecture = typeof folder.config.model_type === 'string' ? folder.config.model_type : 'onnx';
    return {
      graphPath: await writeExtendedGraph({ file, filePath, ours }, architecture, outputFolder),
      contentKey,
      tasks: task === 'auto' ? head.tasks : [task],
      precision,
      architecture,
      inputs: inputs.map((input) => ({ ...input, name: PREFIX + input.name })),
      outputs: head.outputs.map((output) => ({ ...output, name: PREFIX + output.name })),
      ...(head.classification === undefined ? {} : { classification: head.classification }),
      vocabularySize: model.vocabularySize,
      maxPositions: model.maxPositions,
      unreadTensors: [],
      ...(isQuantized(file) && hasSignedInt8(file) ? { wideInt8: true } : {}),
    };
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServiceError('compile_failed', `${onnxFile} of model '${folder.id}' could not be read: ${reason}`, {
      cause: error,
    });
  } finally {
    await modules.close();
  }
}
