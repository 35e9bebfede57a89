import { constants } from 'node:fs';
import { access, lstat, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import envPaths from 'env-paths';
import { ServiceError } from '../../contracts/errors.ts';
import type { Logger } from '../../contracts/logger.ts';

/** Where everything made here is kept: under `$INFINITY_HOME`, else `$HF_HOME`, else the user's cache folder. */
export function preferredCacheRoot(environment: NodeJS.ProcessEnv): string | undefined {
  const home = environment.INFINITY_HOME || environment.HF_HOME;
  if (home) return path.resolve(home, '.infinity_cache');
  // Without a home folder (a container's user that no passwd file names) there is no cache folder of the user either.
  return environment.HOME || process.platform === 'win32' ? envPaths('infinity', { suffix: '' }).cache : undefined;
}

/** Where compiled graphs are kept; `undefined` where the user has no cache folder. */
export function preferredCompiledFolder(environment: NodeJS.ProcessEnv): string | undefined {
  const root = preferredCacheRoot(environment);
  return root === undefined ? undefined : path.join(root, 'compiled');
}

async function isWritableFolder(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * A folder under the system's temporary one. Its name is the same at each start, so that a container with a read-only
 * home compiles once; a folder of that name that is somebody else's, or that others may write to, is not trusted.
 */
async function temporaryCacheRoot(): Promise<string> {
  const folder = path.join(tmpdir(), `infinity-cache-${process.getuid?.() ?? 'user'}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const stats = await lstat(folder);
    const ours = process.getuid === undefined || stats.uid === process.getuid();
    if (stats.isDirectory() && ours && (stats.mode & 0o022) === 0) return folder;
  } catch {
    // Fall through to a folder with a fresh name.
  }
  return await mkdtemp(path.join(tmpdir(), 'infinity-cache-'));
}

/**
 * The folder for compiled graphs, made if it is not there; a temporary one, with a warning, where it cannot be written. Throws
 * `invalid_settings` where nothing can be written at all.
 */
export async function openCompiledFolder(environment: NodeJS.ProcessEnv, logger: Logger): Promise<string> {
  const preferred = preferredCompiledFolder(environment);
  if (preferred !== undefined && (await isWritableFolder(preferred))) return preferred;
  const temporary = await temporaryCacheRoot().catch((cause: unknown) => {
    const folders = [preferred, tmpdir()].filter((folder) => folder !== undefined).join(' nor ');
    throw new ServiceError(
      'invalid_settings',
      `Compiled models need a folder that can be written, and neither ${folders} can be: let one be mounted there, or set INFINITY_HOME or TMPDIR.`,
      { cause },
    );
  });
  logger.warning('The cache folder cannot be written; compiled models go to a temporary one.', {
    folder: preferred,
    temporary,
  });
  return temporary;
}
