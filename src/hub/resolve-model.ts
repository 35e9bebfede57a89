import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { ServiceError } from '../contracts/errors.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import { bundledModels } from './bundled-models.ts';
import { errorCodeOf } from './error-code-of.ts';
import { openModelFolder } from './open-model-folder.ts';

export interface ResolvedModel {
  readonly folder: ModelFolder;
  readonly source: 'local' | 'bundled';
  /** False when a derived copy stands in for the public checkpoint. */
  readonly exact: boolean;
}

/** What a failed `stat` says when there is simply nothing of that name. */
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE']);

/**
 * Finds a model's files: a local folder (absolute, relative or below `~`), else a bundled copy. Rejects with
 * `model_unavailable` when there is neither, with `invalid_model_folder` when what is there is not a model.
 */
export async function resolveModel(id: string): Promise<ResolvedModel> {
  if (id.trim() === '') {
    throw new ServiceError('model_unavailable', 'model id: expected a local folder or a model id, got an empty string');
  }
  const localPath = path.resolve(expandHome(id));
  if (await exists(localPath)) {
    return { folder: await openModelFolder(id, localPath), source: 'local', exact: true };
  }
  const bundled = await bundledModels();
  const found = bundled.find((model) => model.id === id);
  if (found !== undefined) {
    return { folder: await openModelFolder(id, found.path), source: 'bundled', exact: found.exact };
  }
  const bundledIds = bundled.map((model) => model.id).join(', ');
  throw new ServiceError(
    'model_unavailable',
    `model '${id}': expected a local folder or a bundled model; there is no folder '${localPath}', and the bundled ` +
      `models are ${bundledIds} (this version does not download models)`,
  );
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
