import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../contracts/errors.ts';

/** A repository cloned without Git LFS holds such a text of about 130 bytes in place of each large file. */
const POINTER_START = 'version https://git-lfs.github.com/spec/';

/** The specification allows a pointer fewer bytes than this. */
const MAX_POINTER_BYTES = 1024;

export function isLfsPointer(text: string): boolean {
  return text.startsWith(POINTER_START);
}

/** Reads the first bytes of small files only. */
export async function isLfsPointerFile(filePath: string): Promise<boolean> {
  if ((await stat(filePath)).size >= MAX_POINTER_BYTES) return false;
  const file = await open(filePath);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(POINTER_START.length), 0, POINTER_START.length, 0);
    return isLfsPointer(buffer.toString('latin1', 0, bytesRead));
  } finally {
    await file.close();
  }
}

export function lfsPointerError(filePath: string): ServiceError {
  const name = path.basename(filePath);
  return new ServiceError(
    'invalid_model_folder',
    `'${filePath}': expected the content of ${name}, got a Git LFS pointer to it; run 'git lfs pull' in the model folder`,
  );
}
