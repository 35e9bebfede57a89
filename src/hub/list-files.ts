import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../contracts/errors.ts';
import { errorCodeOf } from './error-code-of.ts';

/** Guards against a start in `/` or in a home folder; the largest public repositories hold a few hundred files. */
const MAX_FILES = 10_000;

/** Guards against links that form a circle; model repositories use two or three levels. */
const MAX_DEPTH = 5;

/**
 * Names of the files below a folder, relative, with `/`, sorted. Links are followed, since the hub's cache is made of
 * them; a link to nothing is left out. Hidden names are left out: `.git` and `.cache` are not the model's.
 */
export async function listFiles(folderPath: string, maxFiles = MAX_FILES): Promise<string[]> {
  const files: string[] = [];
  await collect(folderPath, '', 1, files, maxFiles);
  return files.sort();
}

async function collect(root: string, below: string, depth: number, files: string[], maxFiles: number): Promise<void> {
  for (const entry of await readEntries(path.join(root, below))) {
    if (entry.name.startsWith('.')) continue;
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    const kind = await kindOfEntry(entry, path.join(root, name));
    if (kind === 'folder' && depth < MAX_DEPTH) await collect(root, name, depth + 1, files, maxFiles);
    if (kind !== 'file') continue;
    files.push(name);
    if (files.length > maxFiles) {
      throw new ServiceError(
        'invalid_model_folder',
        `'${root}': expected a model folder of at most ${maxFiles} files, got more`,
      );
    }
  }
}

async function readEntries(folderPath: string): Promise<Dirent[]> {
  try {
    return await readdir(folderPath, { withFileTypes: true });
  } catch (error) {
    throw new ServiceError(
      'invalid_model_folder',
      `'${folderPath}': expected a readable folder, got ${errorCodeOf(error)}`,
      { cause: error },
    );
  }
}

async function kindOfEntry(entry: Dirent, entryPath: string): Promise<'file' | 'folder' | 'other'> {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  if (!entry.isSymbolicLink()) return 'other';
  try {
    const target = await stat(entryPath);
    if (target.isFile()) return 'file';
    return target.isDirectory() ? 'folder' : 'other';
  } catch {
    return 'other';
  }
}
