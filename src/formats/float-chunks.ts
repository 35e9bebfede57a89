import { readSync } from 'node:fs';
import { ServiceError } from '../contracts/errors.ts';
import { DTYPE_BYTES, FLOAT_DTYPES } from './safetensors/dtypes.ts';
import { widenToFloat32 } from './safetensors/widen-to-float32.ts';

/** Bounds what a read holds in memory: 4 MiB of float32. */
const CHUNK_ELEMENTS = 1 << 20;

/** Where the numbers of a tensor lie in a file, row-major and little-endian. */
export interface NumberRange {
  /** Storage type in safetensors spelling. */
  readonly dtype: string;
  /** From the start of the file. */
  readonly byteOffset: number;
  readonly byteLength: number;
}

function readRange(fd: number, label: string, byteOffset: number, byteLength: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(byteLength);
  let filled = 0;
  while (filled < byteLength) {
    const count = readSync(fd, bytes, filled, byteLength - filled, byteOffset + filled);
    if (count === 0) {
      throw new ServiceError(
        'invalid_checkpoint',
        `${label}: the file ends at byte ${byteOffset + filled}, expected ${byteOffset + byteLength}`,
      );
    }
    filled += count;
  }
  return bytes;
}

/**
 * The numbers of one tensor as float32, piece by piece. `label` names file and tensor. Throws `invalid_checkpoint` where
 * the storage type is not a float type, or the file is shorter than it was.
 */
export function* floatChunks(fd: number, label: string, range: NumberRange): Iterable<Float32Array> {
  const elementBytes = DTYPE_BYTES.get(range.dtype) ?? 1;
  const chunkBytes = CHUNK_ELEMENTS * elementBytes;
  for (let done = 0; done < range.byteLength; done += chunkBytes) {
    const length = Math.min(chunkBytes, range.byteLength - done);
    const values = widenToFloat32(range.dtype, readRange(fd, label, range.byteOffset + done, length));
    if (values === undefined) {
      throw new ServiceError(
        'invalid_checkpoint',
        `${label} has dtype ${range.dtype}, expected one of ${FLOAT_DTYPES.join(', ')}`,
      );
    }
    yield values;
  }
}
