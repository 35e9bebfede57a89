import { rm, stat } from 'node:fs/promises';
import { ServiceError } from '../contracts/errors.ts';
import { isRepositoryId, repositoryPaths } from './cache-layout.ts';
import { withCacheLock } from './cache-lock.ts';
import { onDisk } from './disk-error.ts';
import { folderBytes } from './list-cached-models.ts';

/** Removes all of a model from the hub's cache; resolves with the bytes that are free now. */
export async function removeCachedModel(cacheFolder: string, id: string, signal: AbortSignal): Promise<number> {
  const { root, lock } = repositoryPaths(cacheFolder, id);
  const isThere = isRepositoryId(id) && (await stat(root).catch(() => undefined))?.isDirectory() === true;
  if (!isThere) {
    throw new ServiceError(
      'model_unavailable',
      `model '${id}': expected a model of the cache '${cacheFolder}', got none of that id`,
    );
  }
  const bytes = await folderBytes(root);
  const remove = () => onDisk(root, () => rm(root, { recursive: true }));
  await withCacheLock(lock, remove, { signal, onWait: () => undefined });
  return bytes;
}
