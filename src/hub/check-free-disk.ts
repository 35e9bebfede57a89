import { statfs } from 'node:fs/promises';
import { ServiceError } from '../contracts/errors.ts';
import { bytesText } from '../observability/bytes-text.ts';

/** Refuses a download that the disk cannot take. A system that does not tell its free space is trusted. */
export async function checkFreeDisk(
  folder: string,
  neededBytes: number,
  id: string,
  readFree = freeBytes,
): Promise<void> {
  const free = await readFree(folder).catch(() => Number.POSITIVE_INFINITY);
  if (neededBytes <= free) return;
  throw new ServiceError(
    'model_unavailable',
    `model '${id}': the download needs ${bytesText(neededBytes)}, and the disk of '${folder}' has ${bytesText(free)} left; ` +
      'make room, or name another folder with HF_HOME or HF_HUB_CACHE',
    { canPass: true },
  );
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
