import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { repositoryIdOf } from './cache-layout.ts';
import { snapshotProblems } from './snapshot-problems.ts';

/** One snapshot of a repository in the hub's cache. */
export interface CachedSnapshot {
  readonly commit: string;
  /** Branches and tags that stand for it. */
  readonly revisions: readonly string[];
  /** What it lacks to be served; empty when it is whole. */
  readonly problems: readonly string[];
}

export interface CachedRepository {
  readonly id: string;
  readonly path: string;
  /** Of all its content, what an interrupted download left included. */
  readonly bytes: number;
  readonly snapshots: readonly CachedSnapshot[];
}

/** All models in the hub's cache, whoever put them there, by id. */
export async function listCachedModels(cacheFolder: string): Promise<CachedRepository[]> {
  const repositories: CachedRepository[] = [];
  for (const name of (await namesIn(cacheFolder)).sort()) {
    const id = repositoryIdOf(name);
    if (id !== undefined) repositories.push(await readRepository(id, path.join(cacheFolder, name)));
  }
  return repositories;
}

async function readRepository(id: string, root: string): Promise<CachedRepository> {
  const refs = await readRefs(path.join(root, 'refs'));
  const snapshots: CachedSnapshot[] = [];
  for (const commit of (await namesIn(path.join(root, 'snapshots'))).sort()) {
    const revisions = refs.filter((ref) => ref.commit === commit).map(({ name }) => name);
    snapshots.push({ commit, revisions, problems: await snapshotProblems(path.join(root, 'snapshots', commit), id) });
  }
  return { id, path: root, bytes: await folderBytes(path.join(root, 'blobs')), snapshots };
}

async function readRefs(folder: string): Promise<{ name: string; commit: string }[]> {
  const refs: { name: string; commit: string }[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (!entry.isFile()) continue;
    const filePath = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, filePath).split(path.sep).join('/');
    refs.push({ name, commit: (await readFile(filePath, 'utf8')).trim() });
  }
  return refs;
}

/** A folder that is not there, or may not be read, holds nothing. */
async function namesIn(folder: string): Promise<string[]> {
  return await readdir(folder).catch(() => []);
}

/** The files of a folder and of those below it. */
export async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])) {
    if (entry.isFile()) bytes += (await stat(path.join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}
