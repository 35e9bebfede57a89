import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { ContentDigest } from './repository.ts';

/** The digest of a file's content, of the same kind as `expected`. */
async function digestOf(filePath: string, { kind }: ContentDigest): Promise<string> {
  const hash = createHash(kind === 'sha256' ? 'sha256' : 'sha1');
  if (kind === 'git') hash.update(`blob ${(await stat(filePath)).size}\0`);
  await pipeline(createReadStream(filePath, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

/** Whether a file is there with the expected content; the size is looked at first. */
export async function holds(filePath: string, bytes: number, digest: ContentDigest): Promise<boolean> {
  try {
    return (await stat(filePath)).size === bytes && (await digestOf(filePath, digest)) === digest.hex;
  } catch {
    return false;
  }
}
