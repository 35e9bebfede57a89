import { type FileHandle, open } from 'node:fs/promises';
import { ServiceError } from '../../contracts/errors.ts';

/**
 * Guards the memory that a corrupt length would ask for. The reference implementation has the same limit; the largest
 * public checkpoints need a few megabytes per file.
 */
export const HEADER_LIMIT_BYTES = 100_000_000;

/** The header begins with its own length as an unsigned 64-bit integer. */
export const LENGTH_FIELD_BYTES = 8;

const LFS_POINTER_START = 'version https://git-lfs.github.com/spec/';

export interface SafetensorsHeader {
  /** The JSON, as it is in the file. */
  readonly json: Uint8Array;
  readonly fileBytes: number;
}

/** Says in words why the first bytes of a file cannot start a safetensors file; `undefined` when they can. */
function objection(start: Uint8Array, fileBytes: number): string | undefined {
  if (Buffer.from(start).toString('latin1') === LFS_POINTER_START) {
    return `is a Git LFS pointer of ${fileBytes} bytes, not the weights; fetch them with 'git lfs pull'`;
  }
  if (fileBytes < LENGTH_FIELD_BYTES + 2) {
    return `is too short: expected at least ${LENGTH_FIELD_BYTES + 2} bytes, got ${fileBytes}`;
  }
  const headerBytes = Buffer.from(start).readBigUInt64LE(0);
  if (headerBytes > BigInt(HEADER_LIMIT_BYTES)) {
    return `is not a safetensors file: expected a header of at most ${HEADER_LIMIT_BYTES} bytes, its length field says ${headerBytes}`;
  }
  if (BigInt(LENGTH_FIELD_BYTES) + headerBytes > BigInt(fileBytes)) {
    return `is truncated: its header should end at byte ${BigInt(LENGTH_FIELD_BYTES) + headerBytes}, the file has ${fileBytes}`;
  }
  return undefined;
}

async function readExactly(handle: FileHandle, byteLength: number, position: number): Promise<Uint8Array> {
  const { bytesRead, buffer } = await handle.read(new Uint8Array(byteLength), 0, byteLength, position);
  if (bytesRead === byteLength) return buffer;
  throw new Error(`expected ${byteLength} bytes at ${position}, got ${bytesRead}`);
}

/**
 * Reads the header of a safetensors file and nothing else. `fileName` is for messages. Throws `invalid_checkpoint`.
 * Source: https://github.com/huggingface/safetensors/blob/v0.5.3/README.md#format
 */
export async function readHeader(filePath: string, fileName: string): Promise<SafetensorsHeader> {
  const handle = await open(filePath, 'r').catch((cause: unknown) => {
    throw new ServiceError('invalid_checkpoint', `${fileName} cannot be opened`, { cause });
  });
  try {
    const fileBytes = (await handle.stat()).size;
    const start = await readExactly(handle, Math.min(fileBytes, LFS_POINTER_START.length), 0);
    const problem = objection(start, fileBytes);
    if (problem !== undefined) throw new ServiceError('invalid_checkpoint', `${fileName} ${problem}`);
    const headerBytes = Number(Buffer.from(start).readBigUInt64LE(0));
    const json = await readExactly(handle, headerBytes, LENGTH_FIELD_BYTES);
    return { json, fileBytes };
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError('invalid_checkpoint', `${fileName} cannot be read`, { cause });
  } finally {
    await handle.close();
  }
}
