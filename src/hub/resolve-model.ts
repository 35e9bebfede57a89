import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { ServiceError } from '../contracts/errors.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import { type BundledModel, bundledModels } from './bundled-models.ts';
import { isRepositoryId } from './cache-layout.ts';
import { type DownloadedModel, type DownloadOptions, downloadModel } from './download-model.ts';
import { errorCodeOf } from './error-code-of.ts';
import { findCachedModel } from './find-cached-model.ts';
import { HubError } from './hub-failure.ts';
import { openModelFolder } from './open-model-folder.ts';

export interface ResolvedModel {
  readonly folder: ModelFolder;
  readonly source: 'local' | 'cache' | 'bundled' | 'hub';
  /** False when a derived copy stands in for the public checkpoint. */
  readonly exact: boolean;
  /** Of the repository's history; `undefined` for local folders and bundled copies. */
  readonly commit: string | undefined;
}

export interface ResolveOptions extends DownloadOptions {
  /** Branch, tag or commit; left out, the branch `main`, for which a bundled copy may stand. */
  readonly revision?: string | undefined;
  /** Whether the copies that ship with the package may be used. */
  readonly useBundled: boolean;
}

/** What a failed `stat` says when there is simply nothing of that name. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);
const DEFAULT_REVISION = 'main';

/**
 * Finds a model's files: a local folder (absolute, relative or below `~`), the hub's cache, an exact bundled copy, the
 * hub, and, when the hub cannot be had, a derived bundled copy. What is in the cache is used without a request. Rejects
 * with `model_unavailable` when there is none of them, with `invalid_model_folder` when what is there is not a model.
 */
export async function resolveModel(id: string, options: ResolveOptions): Promise<ResolvedModel> {
  if (id.trim() === '') {
    throw new ServiceError('model_unavailable', 'model id: expected a local folder or a model id, got an empty string');
  }
  const localPath = path.resolve(expandHome(id));
  if (await exists(localPath)) return opened(id, localPath, { source: 'local' });
  if (!isRepositoryId(id)) {
    throw new ServiceError(
      'model_unavailable',
      `model '${id}': expected a local folder or a model id such as 'BAAI/bge-m3'; there is no folder '${localPath}'`,
    );
  }
  const revision = options.revision ?? DEFAULT_REVISION;
  const cached = await findCachedModel(options.hub.cacheFolder, id, revision, options.onnxFile);
  if (cached !== undefined && cached.problems.length === 0) {
    return opened(id, cached.path, { source: 'cache', commit: cached.commit });
  }
  const bundled = options.revision === undefined && options.useBundled ? await findBundled(id) : undefined;
  if (bundled?.exact) return opened(id, bundled.path, { source: 'bundled' });
  for (const problem of cached?.problems ?? []) options.logger.warning(`The cached copy of '${id}': ${problem}.`);
  try {
    if (options.hub.offline) throw offlineError(id, revision, options.hub.cacheFolder, cached?.problems);
    const { path: snapshot, commit } = await download(id, revision, options, bundled !== undefined);
    return await opened(id, snapshot, { source: 'hub', commit });
  } catch (error) {
    if (bundled === undefined || !(error instanceof HubError) || !error.unreachable) throw error;
    options.logger.warning(`${error.message}. A bundled copy stands in.`);
    return opened(id, bundled.path, { source: 'bundled', exact: false });
  }
}

/** Where a copy can stand in, nobody waits for a hub that does not answer. */
function download(id: string, revision: string, options: ResolveOptions, hasCopy: boolean): Promise<DownloadedModel> {
  return downloadModel(id, revision, hasCopy ? { ...options, attempts: 1, connectTimeoutMs: 3000 } : options);
}

function offlineError(id: string, revision: string, cacheFolder: string, problems?: readonly string[]): HubError {
  const actual = problems === undefined ? 'is not there' : `is not whole (${problems.join('; ')})`;
  return new HubError(
    `model '${id}': revision '${revision}' ${actual} in the cache '${cacheFolder}', and HF_HUB_OFFLINE forbids to download it`,
    true,
    { canPass: false },
  );
}

async function opened(
  id: string,
  folderPath: string,
  found: { source: ResolvedModel['source']; exact?: boolean; commit?: string },
): Promise<ResolvedModel> {
  const folder = await openModelFolder(id, folderPath);
  return { folder, source: found.source, exact: found.exact ?? true, commit: found.commit };
}

async function findBundled(id: string): Promise<BundledModel | undefined> {
  return (await bundledModels()).find((model) => model.id === id || model.aliases.includes(id));
}

function expandHome(id: string): string {
  return id === '~' || /^~[/\\]/.test(id) ? path.join(homedir(), id.slice(1)) : id;
}

async function exists(localPath: string): Promise<boolean> {
  try {
    await stat(localPath);
    return true;
  } catch (error) {
    const code = errorCodeOf(error);
    if (ABSENT.has(code)) return false;
    throw new ServiceError('invalid_model_folder', `'${localPath}': expected a readable folder, got ${code}`, {
      cause: error,
    });
  }
}
