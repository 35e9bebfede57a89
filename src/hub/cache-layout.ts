import path from 'node:path';
import { ServiceError } from '../contracts/errors.ts';

/** The hub's own rule for names: one or two parts of letters, digits, `.`, `_` and `-`, at most 96 characters. */
const REPOSITORY_ID = /^[A-Za-z0-9_][\w.-]*(?:\/[A-Za-z0-9_][\w.-]*)?$/;
const MAX_ID_CHARACTERS = 96;

const COMMIT = /^[0-9a-f]{40}$/;

export function isRepositoryId(id: string): boolean {
  return id.length <= MAX_ID_CHARACTERS && REPOSITORY_ID.test(id) && !id.includes('--') && !id.includes('..');
}

export function isCommit(revision: string): boolean {
  return COMMIT.test(revision);
}

/** `models--org--name`, as the Python library names it. */
function repositoryFolderName(id: string): string {
  return `models--${id.replaceAll('/', '--')}`;
}

/** The id behind a folder name, `undefined` for folders of datasets and others. */
export function repositoryIdOf(folderName: string): string | undefined {
  const [kind, ...parts] = folderName.split('--');
  return kind === 'models' && parts.length > 0 ? parts.join('/') : undefined;
}

/** The paths of one repository in the cache that Python's huggingface_hub and others share. */
export interface RepositoryPaths {
  readonly root: string;
  /** Content, named by its digest. */
  blob(etag: string): string;
  /** Holds the commit that a branch or tag stood for when it was last looked up. */
  ref(revision: string): string;
  /** Links to blobs, under the names of the repository. */
  snapshot(commit: string): string;
  /** Folder for locks: beside the repositories, so that listing them does not meet it. */
  readonly lock: string;
}

export function repositoryPaths(cacheFolder: string, id: string): RepositoryPaths {
  const name = repositoryFolderName(id);
  const root = path.join(cacheFolder, name);
  return {
    root,
    blob: (etag) => path.join(root, 'blobs', etag),
    ref: (revision) => path.join(root, 'refs', ...safeParts(revision, `revision of '${id}'`)),
    snapshot: (commit) => path.join(root, 'snapshots', commit),
    lock: path.join(cacheFolder, '.locks', name, 'infinity'),
  };
}

/** Where a repository's file lies in a snapshot. A name that would leave the folder is refused. */
export function snapshotFile(snapshot: string, name: string): string {
  return path.join(snapshot, ...safeParts(name, 'file name'));
}

function safeParts(name: string, what: string): string[] {
  const parts = name.split('/');
  const isUnsafe = (part: string) => part === '' || part === '.' || part === '..' || /[\\\0:]/.test(part);
  if (parts.some(isUnsafe)) {
    throw new ServiceError('model_unavailable', `${what}: expected a relative path without '..', got '${name}'`);
  }
  return parts;
}
