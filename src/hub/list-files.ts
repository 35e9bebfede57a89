import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { ServiceError } from '../contracts/errors.ts';
import { errorCodeOf } from './error-code-of.ts';
import { type FollowLink, linkBoundary } from './link-boundary.ts';

/** Guards against a start in `/` or in a home folder; the largest public repositories hold a few hundred files. */
const MAX_FILES = 10_000;

/** Guards against links that form a circle; model repositories use two or three levels. */
const MAX_DEPTH = 5;

/**
 * Names of the files below a folder, relative, with `/`, sorted. Links are followed, since the hub's cache is made of
 * them; a link to nothing is left out. Hidden names are left out: `.git` and `.cache` are not the model's. Rejects with
 * `invalid_model_folder` when a link leads out of the folder: no file but these may be opened.
 */
export async function listFiles(folderPath: string, maxFiles = MAX_FILES): Promise<string[]> {
  const files: string[] = [];
  await collect({ root: folderPath, follow: await boundaryOf(folderPath), files, maxFiles }, '', 1);
  return files.sort();
}

interface Listing {
  readonly root: string;
  readonly follow: FollowLink;
  readonly files: string[];
  readonly maxFiles: number;
}

async function collect(listing: Listing, below: string, depth: number): Promise<void> {
  const { root, follow, files, maxFiles } = listing;
  for (const entry of await readEntries(path.join(root, below))) {
    if (entry.name.startsWith('.')) continue;
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    const kind = await kindOfEntry(entry, path.join(root, name), follow);
    if (kind === 'folder' && depth < MAX_DEPTH) await collect(listing, name, depth + 1);
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
    throw unreadable(folderPath, error);
  }
}

async function boundaryOf(folderPath: string): Promise<FollowLink> {
  try {
    return await linkBoundary(folderPath);
  } catch (error) {
    throw unreadable(folderPath, error);
  }
}

function unreadable(folderPath: string, error: unknown): ServiceError {
  const message = `'${folderPath}': expected a readable folder, got ${errorCodeOf(error)}`;
  return new ServiceError('invalid_model_folder', message, { cause: error });
}

async function kindOfEntry(entry: Dirent, entryPath: string, follow: FollowLink): Promise<'file' | 'folder' | 'other'> {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  if (!entry.isSymbolicLink()) return 'other';
  const target = await follow(entryPath).catch(() => null);
  if (target === null) return 'other';
  if (target === undefined) {
    throw new ServiceError(
      'invalid_model_folder',
      `'${entryPath}': expected a link that stays in the model's folder, got one that leads out of it; put the file itself there`,
    );
  }
  const found = await stat(target);
  if (found.isFile()) return 'file';
  return found.isDirectory() ? 'folder' : 'other';
}
