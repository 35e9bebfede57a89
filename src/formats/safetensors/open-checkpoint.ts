import path from 'node:path';
import { ServiceError } from '../../contracts/errors.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';
import type { Checkpoint, CheckpointTensor } from '../checkpoint.ts';
import { locateCheckpoint } from './locate-checkpoint.ts';
import { openSafetensors } from './open-safetensors.ts';

function mergeTensors(files: readonly Checkpoint[]): Map<string, CheckpointTensor> {
  const tensors = new Map<string, CheckpointTensor>();
  for (const tensor of files.flatMap((file) => [...file.tensors.values()])) {
    const earlier = tensors.get(tensor.name);
    if (earlier !== undefined) {
      throw new ServiceError(
        'invalid_checkpoint',
        `tensor '${tensor.name}' is in ${earlier.fileName} and in ${tensor.fileName}, expected in one file`,
      );
    }
    tensors.set(tensor.name, tensor);
  }
  return tensors;
}

/**
 * Opens the safetensors weights of a model, in one file or in shards. Headers are read and checked now, tensors when
 * they are asked for. Throws `invalid_model_folder` or `invalid_checkpoint`. Whoever opens it closes it.
 */
export async function openCheckpoint(folder: ModelFolder): Promise<Checkpoint> {
  const location = await locateCheckpoint(folder);
  const files: Checkpoint[] = [];
  const close = async () => {
    await Promise.all(files.map((file) => file.close()));
  };
  try {
    for (const fileName of location.fileNames) {
      files.push(await openSafetensors(path.join(folder.path, fileName), fileName));
    }
    const tensors = mergeTensors(files);
    for (const [name, fileName] of location.shardOf ?? []) {
      if (tensors.get(name)?.fileName === fileName) continue;
      throw new ServiceError('invalid_checkpoint', `${fileName} has no tensor '${name}', which the index puts there`);
    }
    return { tensors, close };
  } catch (error) {
    await close();
    throw error;
  }
}
