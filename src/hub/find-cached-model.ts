import { readFile, stat } from 'node:fs/promises';
import { isCommit, repositoryPaths } from './cache-layout.ts';
import type { OnnxFileWish } from './choose-onnx-file.ts';
import { snapshotProblems } from './snapshot-problems.ts';

export interface CachedModel {
  /** The snapshot's folder. */
  readonly path: string;
  readonly commit: string;
  /** What it lacks; empty when it can be served. */
  readonly problems: readonly string[];
}

/** The copy of a model in the hub's cache, whoever put it there. Writes nothing, so the cache may be read-only. */
export async function findCachedModel(
  cacheFolder: string,
  id: string,
  revision: string,
  onnxFile?: OnnxFileWish,
): Promise<CachedModel | undefined> {
  const paths = repositoryPaths(cacheFolder, id);
  const commit = isCommit(revision) ? revision : await readRef(paths.ref(revision));
  if (commit === undefined) return undefined;
  const snapshot = paths.snapshot(commit);
  if (!(await isFolder(snapshot))) return undefined;
  return { path: snapshot, commit, problems: await snapshotProblems(snapshot, id, onnxFile) };
}

async function readRef(ref: string): Promise<string | undefined> {
  try {
    const commit = (await readFile(ref, 'utf8')).trim();
    return isCommit(commit) ? commit : undefined;
  } catch {
    return undefined;
  }
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    return (await stat(folder)).isDirectory();
  } catch {
    return false;
  }
}
