import path from 'node:path';
import { preferredCacheRoot } from '../compile-cache/cache-root.ts';

/** Where the files of the vector cache are: beside the compiled graphs. `undefined` where the user has no cache folder. */
export function vectorFolder(environment: NodeJS.ProcessEnv): string | undefined {
  const root = preferredCacheRoot(environment);
  return root === undefined ? undefined : path.join(root, 'vectors');
}
