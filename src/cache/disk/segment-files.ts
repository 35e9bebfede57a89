import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

const SEGMENT = /^\d{15}-[0-9a-f]{8}\.vectors$/;
const DAMAGED_SUFFIX = '.damaged';

export interface SegmentFile {
  readonly name: string;
  readonly bytes: number;
}

/** A name that sorts after those of earlier times; several processes may make one at once. */
export function newSegmentName(nowMs: number): string {
  return `${String(Math.floor(nowMs)).padStart(15, '0')}-${randomBytes(4).toString('hex')}.vectors`;
}

/** The segments in a folder, the oldest first; makes the folder where there is none. */
export async function listSegments(folder: string): Promise<readonly SegmentFile[]> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).filter((name) => SEGMENT.test(name)).sort();
  const files = await Promise.all(
    names.map(async (name) => {
      // Another process may have removed it meanwhile.
      const size = await stat(path.join(folder, name)).then(
        (stats) => stats.size,
        () => undefined,
      );
      return size === undefined ? [] : [{ name, bytes: size }];
    }),
  );
  return files.flat();
}

/** Keeps a damaged file for whoever wants to know why, in place of an earlier one. */
export async function setAside(folder: string, name: string): Promise<void> {
  await removeDamaged(folder);
  await rename(path.join(folder, name), path.join(folder, name + DAMAGED_SUFFIX));
}

export async function removeDamaged(folder: string): Promise<void> {
  const damaged = (await readdir(folder)).filter((name) => name.endsWith(`.vectors${DAMAGED_SUFFIX}`));
  await Promise.all(damaged.map((name) => rm(path.join(folder, name), { force: true })));
}
