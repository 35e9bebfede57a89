import { ServiceError } from '../contracts/errors.ts';
import { readExactly } from './read-exactly.ts';
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

/**
 * The numbers of one tensor as float32, piece by piece. `label` names file and tensor. Throws `invalid_checkpoint` where
 * the storage type is not a float type, or the file is shorter than it was.
 */
export function* floatChunks(fd: number, label: string, range: NumberRange): Iterable<Float32Array> {
  const elementBytes = DTYPE_BYTES.get(range.dtype) ?? 1;
  const chunkBytes = CHUNK_ELEMENTS * elementBytes;
  const end = range.byteOffset + range.byteLength;
  for (let at = range.byteOffset; at < end; at += chunkBytes) {
    const length = Math.min(chunkBytes, end - at);
    const endsAt = (byte: number) =>
      new ServiceError('invalid_checkpoint', `${label}: the file ends at byte ${byte}, expected ${at + length}`);
    const values = widenToFloat32(range.dtype, readExactly(fd, at, length, endsAt));
    if (values === undefined) {
      throw new ServiceError(
        'invalid_checkpoint',
        `${label} has dtype ${range.dtype}, expected one of ${FLOAT_DTYPES.join(', ')}`,
      );
    }
    yield values;
  }
}
