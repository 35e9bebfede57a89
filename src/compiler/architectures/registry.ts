import { ServiceError } from '../../contracts/errors.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';
import type { Architecture } from './architecture.ts';
import { bert } from './bert.ts';

/** One line for each family. */
const ARCHITECTURES: readonly Architecture[] = [bert];

function onnxHint(folder: ModelFolder): string {
  const onnxFile = folder.files.find((name) => name.endsWith('.onnx'));
  return onnxFile === undefined ? '' : `; its folder also holds ${onnxFile}, which is not used`;
}

/** Finds the family of a model by `model_type`. Throws `unsupported_architecture` with a list of those supported. */
export function findArchitecture(folder: ModelFolder): Architecture {
  const modelType = folder.config.model_type;
  const found = ARCHITECTURES.find((architecture) => architecture.modelType === modelType);
  if (found !== undefined) return found;
  const supported = ARCHITECTURES.map((architecture) => `'${architecture.modelType}'`).join(', ');
  const actual = modelType === undefined ? 'nothing' : JSON.stringify(modelType).replaceAll('"', "'");
  throw new ServiceError(
    'unsupported_architecture',
    `model '${folder.id}': model_type is ${actual}, expected one of ${supported}${onnxHint(folder)}`,
  );
}
