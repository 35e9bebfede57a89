import { open } from 'node:fs/promises';
import { ServiceError } from '../contracts/errors.ts';
import type { WeightFormat } from './locate-checkpoint.ts';
import { readHeader } from './safetensors/read-header.ts';
import { readTorchArchive } from './torch-checkpoint/torch-archive.ts';

export interface WeightFileHeader {
  /** All that a file says about its tensors, as it is in the file. */
  readonly bytes: Uint8Array;
  readonly fileBytes: number;
}

/** Reads what a file says about its tensors, and none of their numbers. Throws `invalid_checkpoint`. */
export async function weightFileHeader(
  filePath: string,
  fileName: string,
  format: WeightFormat,
): Promise<WeightFileHeader> {
  if (format === 'safetensors') {
    const { json, fileBytes } = await readHeader(filePath, fileName);
    return { bytes: json, fileBytes };
  }
  const handle = await open(filePath, 'r').catch((cause: unknown) => {
    throw new ServiceError('invalid_checkpoint', `${fileName} cannot be opened`, { cause });
  });
  try {
    const { pickle, fileBytes } = await readTorchArchive(handle, fileName);
    return { bytes: pickle, fileBytes };
  } finally {
    await handle.close();
  }
}
