import { open } from 'node:fs/promises';
import type { Checkpoint, CheckpointTensor } from '../checkpoint.ts';
import { floatChunks } from '../float-chunks.ts';
import { parseHeader } from './parse-header.ts';
import { readHeader } from './read-header.ts';

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
