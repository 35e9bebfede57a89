import { readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { ServiceError } from '../../contracts/errors.ts';
import type { Checkpoint, CheckpointTensor } from '../checkpoint.ts';
import { DTYPE_BYTES, FLOAT_DTYPES } from './dtypes.ts';
import { parseHeader, type TensorEntry } from './parse-header.ts';
import { readHeader } from './read-header.ts';
import { widenToFloat32 } from './widen-to-float32.ts';

/** Bounds what a read holds in memory: 4 MiB of float32. */
const CHUNK_ELEMENTS = 1 << 20;

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

function* floatChunks(fd: number, label: string, entry: TensorEntry): Iterable<Float32Array> {
  const elementBytes = DTYPE_BYTES.get(entry.dtype) ?? 1;
  const chunkBytes = CHUNK_ELEMENTS * elementBytes;
  for (let done = 0; done < entry.byteLength; done += chunkBytes) {
    const length = Math.min(chunkBytes, entry.byteLength - done);
    const values = widenToFloat32(entry.dtype, readRange(fd, label, entry.byteOffset + done, length));
    if (values === undefined) {
      throw new ServiceError(
        'invalid_checkpoint',
        `${label} has dtype ${entry.dtype}, expected one of ${FLOAT_DTYPES.join(', ')}`,
      );
    }
    yield values;
  }
}

/**
 * Opens one safetensors file: the header is read and checked now, each tensor from its own byte range when it is asked
 * for. `fileName` is for messages. Throws `invalid_checkpoint`.
 */
export async function openSafetensors(filePath: string, fileName: string): Promise<Checkpoint> {
  const header = await readHeader(filePath, fileName);
  const entries = parseHeader(fileName, header.json, header.fileBytes);
  const handle = await open(filePath, 'r');
  const tensors = new Map<string, CheckpointTensor>();
  for (const [name, entry] of entries) {
    const { dtype, dims } = entry;
    const chunks = () => floatChunks(handle.fd, `${fileName}: tensor '${name}'`, entry);
    tensors.set(name, { name, fileName, dtype, dims, chunks });
  }
  return { tensors, close: () => handle.close() };
}
