import { type FileHandle, open } from 'node:fs/promises';
import { ServiceError } from '../../contracts/errors.ts';
import type { Checkpoint, CheckpointTensor } from '../checkpoint.ts';
import { floatChunks } from '../float-chunks.ts';
import { DTYPE_BYTES } from '../safetensors/dtypes.ts';
import { PickleError } from './pickle-cursor.ts';
import type { PickleValue, TorchTensor } from './pickle-value.ts';
import { readPickle } from './read-pickle.ts';
import { tensorsOf } from './tensors-of.ts';
import { readTorchArchive, type TorchArchive } from './torch-archive.ts';

function readState(fileName: string, pickle: Buffer): PickleValue {
  try {
    return readPickle(pickle);
  } catch (cause) {
    if (!(cause instanceof PickleError)) throw cause;
    throw new ServiceError('invalid_checkpoint', `${fileName}: its pickle ${cause.message}`, { cause });
  }
}

async function locateTensor(archive: TorchArchive, label: string, { storage, offset, dims }: TorchTensor) {
  const elementBytes = DTYPE_BYTES.get(storage.dtype) ?? 1;
  const range = await archive.storageRange(storage.key);
  if (storage.elements * elementBytes > range.byteLength) {
    throw new ServiceError(
      'invalid_checkpoint',
      `${label}: its storage has ${range.byteLength} bytes, expected ${storage.elements * elementBytes}`,
    );
  }
  return {
    dtype: storage.dtype,
    byteOffset: range.byteOffset + offset * elementBytes,
    byteLength: dims.reduce((product, size) => product * size, elementBytes),
  };
}

async function readTensors(handle: FileHandle, fileName: string): Promise<Map<string, CheckpointTensor>> {
  const archive = await readTorchArchive(handle, fileName);
  const found = tensorsOf(readState(fileName, archive.pickle), (what) => {
    const text = what.startsWith(':') ? what : ` ${what}`;
    throw new ServiceError('invalid_checkpoint', `${fileName}${text}`);
  });
  const tensors = new Map<string, CheckpointTensor>();
  for (const [name, tensor] of found) {
    const label = `${fileName}: tensor '${name}'`;
    const range = await locateTensor(archive, label, tensor);
    const chunks = () => floatChunks(handle.fd, label, range);
    tensors.set(name, { name, fileName, dtype: range.dtype, dims: tensor.dims, chunks });
  }
  return tensors;
}

/**
 * Opens one file of torch.save (`pytorch_model.bin`, `….pt`). What it says is read and checked now, each tensor when it is
 * asked for; nothing in it is ever executed. `fileName` is for messages. Throws `invalid_checkpoint`.
 */
export async function openTorchCheckpoint(filePath: string, fileName: string): Promise<Checkpoint> {
  const handle = await open(filePath, 'r').catch((cause: unknown) => {
    throw new ServiceError('invalid_checkpoint', `${fileName} cannot be opened`, { cause });
  });
  try {
    return { tensors: await readTensors(handle, fileName), close: () => handle.close() };
  } catch (error) {
    await handle.close();
    if (error instanceof ServiceError) throw error;
    throw new ServiceError('invalid_checkpoint', `${fileName} cannot be read`, { cause: error });
  }
}
