import { copyFile, mkdir, readlink, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { diskError } from './disk-error.ts';
import { errorCodeOf } from './error-code-of.ts';

/** Windows gives only some users the right to make links, some network drives nobody. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Makes `target` stand for the content of `blob`: a relative link, as Python makes it, or a copy where links cannot be made. */
export async function linkSnapshotFile(blob: string, target: string): Promise<void> {
  const folder = path.dirname(target);
  const destination = path.relative(folder, blob);
  try {
    await mkdir(folder, { recursive: true });
    if ((await linkOf(target)) === destination) return;
    await rm(target, { force: true });
    await symlink(destination, target);
  } catch (error) {
    if (!NO_LINKS.has(errorCodeOf(error))) throw diskError(target, error);
    await copyFile(blob, target);
  }
}

async function linkOf(target: string): Promise<string | undefined> {
  try {
    return await readlink(target);
  } catch {
    return undefined;
  }
}
