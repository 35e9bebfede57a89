import { mkdir, mkdtemp, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { check, lock } from 'proper-lockfile';
import type { CompileJob, CompileRequest } from '../../contracts/compile-job.ts';
import type { CompiledModel } from '../../contracts/compiled-model.ts';
import { ServiceError } from '../../contracts/errors.ts';
import type { Logger } from '../../contracts/logger.ts';
import { folderBytes } from '../../hub/list-cached-models.ts';
import { commitEntry, isIntact, readEntry, removeEntry } from './entry.ts';
import { planEviction } from './plan-eviction.ts';

/** Guards the disk: about twenty models of the size of bge-m3 in float32. */
const CACHE_LIMIT_BYTES = 50 * 2 ** 30;
/** An entry used within a day may be open in some server, which would need it to start a lane again. */
const KEEP_MS = 24 * 3600 * 1000;
/** A lock whose holder has not renewed it for so long belongs to a process that was killed. */
const LOCK_STALE_MS = 5000;
const LOCK_RETRY_MS = 250;
/** A work folder has the content key in its name, and is only written to under the lock of that key. */
const WORK_PREFIX = '.work-';
const KEY_IN_NAME = /^\.work-([0-9a-f]+)-/;

export interface CompileCacheOptions {
  readonly root: string;
  readonly compile: CompileJob;
  readonly logger: Logger;
}

export interface CacheLookup {
  readonly model: CompiledModel;
  /** False when it was compiled just now. */
  readonly cached: boolean;
}

export interface CompileCache {
  /** The compiled model of this content key; compiles it, in one process at a time, when the cache does not have it. */
  findOrCompile(request: Omit<CompileRequest, 'outputFolder'>, signal: AbortSignal): Promise<CacheLookup>;
  /** Whether the files of an entry are what they were when it was made. */
  isIntact(contentKey: string): Promise<boolean>;
  /** Forgets an entry that turned out to be damaged. */
  discard(contentKey: string): Promise<void>;
}

export function createCompileCache({ root, compile, logger }: CompileCacheOptions): CompileCache {
  const entryFolder = (contentKey: string) => path.join(root, contentKey);

  async function compileEntry(request: Omit<CompileRequest, 'outputFolder'>, signal: AbortSignal) {
    const workFolder = await mkdtemp(path.join(root, `${WORK_PREFIX}${request.contentKey}-`));
    try {
      const model = await compile({ ...request, outputFolder: workFolder }, signal);
      return await commitEntry(workFolder, entryFolder(request.contentKey), model, await readdir(workFolder));
    } catch (error) {
      await removeEntry(workFolder);
      if (error instanceof ServiceError) throw error;
      throw new ServiceError(
        'compile_failed',
        `The compiled model of '${request.modelId}' cannot be stored in ${root}.`,
        {
          cause: error,
        },
      );
    }
  }

  return {
    async findOrCompile(request, signal) {
      const folder = entryFolder(request.contentKey);
      const found = await readEntry(folder);
      if (found !== undefined) return { model: found, cached: true };

      await mkdir(root, { recursive: true });
      const release = await acquireLock(folder, signal);
      try {
        const finished = await readEntry(folder);
        if (finished !== undefined) return { model: finished, cached: true };
        return { model: await compileEntry(request, signal), cached: false };
      } finally {
        await release();
        await evict(root, logger);
      }
    },
    isIntact: (contentKey) => isIntact(entryFolder(contentKey)),
    discard: (contentKey) => removeEntry(entryFolder(contentKey)),
  };
}

async function acquireLock(folder: string, signal: AbortSignal): Promise<() => Promise<void>> {
  for (;;) {
    if (signal.aborted) throw new ServiceError('shutting_down', 'The server is shutting down.');
    try {
      // A lock lost to a pause of the whole machine only means that the same graph is compiled twice.
      const onCompromised = () => undefined;
      const release = await lock(folder, { realpath: false, stale: LOCK_STALE_MS, onCompromised });
      return () => release().catch(() => undefined);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ELOCKED')) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
    }
  }
}

async function evict(root: string, logger: Logger): Promise<void> {
  try {
    const now = Date.now();
    const entries = [];
    for (const name of await readdir(root)) {
      const folder = path.join(root, name);
      const { mtimeMs } = await stat(folder);
      if (name.endsWith('.lock')) continue;
      if (name.startsWith(WORK_PREFIX)) {
        if (!(await isBeingWritten(root, name))) await removeEntry(folder);
        continue;
      }
      entries.push({ name, bytes: await folderBytes(folder), lastUsedMs: mtimeMs });
    }
    for (const name of planEviction(entries, CACHE_LIMIT_BYTES, now - KEEP_MS))
      await removeEntry(path.join(root, name));
  } catch (error) {
    logger.debug('The compile cache could not be tidied up.', { reason: String(error) });
  }
}

/** Whether somebody holds the lock under which this work folder is written; otherwise its process was killed. */
async function isBeingWritten(root: string, workFolder: string): Promise<boolean> {
  const contentKey = KEY_IN_NAME.exec(workFolder)?.[1];
  if (contentKey === undefined) return false;
  return check(path.join(root, contentKey), { realpath: false, stale: LOCK_STALE_MS });
}
