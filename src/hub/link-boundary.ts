import { realpath } from 'node:fs/promises';
import path from 'node:path';

/** Where the links of a model folder lead, as a real path; `undefined` when it is out of bounds. */
export type FollowLink = (linkPath: string) => Promise<string | undefined>;

/**
 * Follows links that stay in a model's folder. A repository is made by strangers and may hold links (git keeps them): one
 * to a file of this machine would let it be read, as a vocabulary by `/decode`. Only a snapshot of the hub's cache has links
 * that leave it, to the blobs beside it. Rejects with the system's error for a link to nothing.
 */
export async function linkBoundary(folderPath: string): Promise<FollowLink> {
  const root = await realpath(folderPath);
  const roots = [root, ...(await blobsOf(root))];
  return async (linkPath) => {
    const target = await realpath(linkPath);
    return roots.some((each) => target === each || target.startsWith(each + path.sep)) ? target : undefined;
  };
}

/** `models--org--name/snapshots/<commit>` -> `models--org--name/blobs` */
async function blobsOf(root: string): Promise<string[]> {
  const snapshots = path.dirname(root);
  if (path.basename(snapshots) !== 'snapshots') return [];
  try {
    return [await realpath(path.join(path.dirname(snapshots), 'blobs'))];
  } catch {
    return [];
  }
}
