import path from 'node:path';
import { ServiceError } from '../../contracts/errors.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';
import type { OnnxFile } from './onnx-file.ts';

/**
 * Files that hold weights of an ONNX file, relative to the model folder: `onnx/model.onnx_data`, `onnx/model.onnx.data`, or
 * whatever the graph calls them. Throws `invalid_model_folder` where one is not there.
 */
export function externalFiles(folder: ModelFolder, onnxFile: string, { initializers }: OnnxFile): readonly string[] {
  const names = initializers.flatMap(({ data }) => (data.kind === 'external' ? [data.place.fileName] : []));
  const paths = [...new Set(names)].map((name) => path.posix.join(path.posix.dirname(onnxFile), name));
  const missing = paths.filter((name) => !folder.files.includes(name));
  if (missing.length === 0) return paths;
  throw new ServiceError(
    'invalid_model_folder',
    `model '${folder.id}': ${onnxFile} keeps its weights in ${missing.slice(0, 5).join(', ')}, which the folder lacks; ` +
      'put it there, beside the graph',
  );
}
