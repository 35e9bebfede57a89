import path from 'node:path';
import { ServiceError } from '../contracts/errors.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import type { Checkpoint, CheckpointTensor } from './checkpoint.ts';
import { type CheckpointLocation, locateCheckpoint, type WeightFile, type WeightFormat } from './locate-checkpoint.ts';
import { openSafetensors } from './safetensors/open-safetensors.ts';
import { openTorchCheckpoint } from './torch-checkpoint/open-torch-checkpoint.ts';

const OPENERS: Readonly<Record<WeightFormat, (filePath: string, fileName: string) => Promise<Checkpoint>>> = {
  safetensors: openSafetensors,
  torch: openTorchCheckpoint,
};

interface OpenFile {
  readonly file: WeightFile;
  readonly checkpoint: Checkpoint;
}

function mergeTensors(opened: readonly OpenFile[]): Map<string, CheckpointTensor> {
  const tensors = new Map<string, CheckpointTensor>();
  for (const { file, checkpoint } of opened) {
    for (const tensor of checkpoint.tensors.values()) {
      const name = `${file.prefix}${tensor.name}`;
      const earlier = tensors.get(name);
      if (earlier !== undefined) {
        throw new ServiceError(
          'invalid_checkpoint',
          `tensor '${name}' is in ${earlier.fileName} and in ${tensor.fileName}, expected in one file`,
        );
      }
      tensors.set(name, { ...tensor, name });
    }
  }
  return tensors;
}

/**
 * Opens the weights of a model, whatever files they are in; the tensors of a module's own file have its path before their
 * name (`2_Dense.linear.weight`). Headers are read and checked now, tensors when they are asked for. `where` leaves some of
 * its files out. Throws `invalid_model_folder` or `invalid_checkpoint`. Whoever opens it closes it.
 */
export async function openCheckpoint(folder: ModelFolder, where?: CheckpointLocation): Promise<Checkpoint> {
  const location = where ?? (await locateCheckpoint(folder));
  const opened: OpenFile[] = [];
  const close = async () => {
    await Promise.all(opened.map(({ checkpoint }) => checkpoint.close()));
  };
  try {
    for (const file of location.files) {
      const { fileName, format } = file;
      opened.push({ file, checkpoint: await OPENERS[format](path.join(folder.path, fileName), fileName) });
    }
    const tensors = mergeTensors(opened);
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
