import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file as the hub keeps it. */
export interface HubFile {
  readonly content: Buffer;
  /** SHA-1 of the git blob: of the pointer, where the content is in LFS. */
  readonly blobId: string;
  /** Of the content, where it is in LFS. */
  readonly sha256: string | undefined;
}

export type RepositoryContent = Readonly<Record<string, HubFile>>;

const LFS_NAME = /\.(?:safetensors|bin|onnx|pt|h5|model)$|^tokenizer\.json$/;

const gitBlobId = (content: Buffer) =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');

function hubFile(name: string, content: Buffer): HubFile {
  if (!LFS_NAME.test(name)) return { content, blobId: gitBlobId(content), sha256: undefined };
  const sha256 = createHash('sha256').update(content).digest('hex');
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256}\nsize ${content.length}\n`;
  return { content, blobId: gitBlobId(Buffer.from(pointer)), sha256 };
}

/** Names -> content, as text, bytes or something to write as JSON. */
export function repositoryOf(files: Readonly<Record<string, unknown>>): RepositoryContent {
  return Object.fromEntries(
    Object.entries(files).map(([name, content]) => {
      const bytes = Buffer.isBuffer(content)
        ? content
        : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
      return [name, hubFile(name, bytes)];
    }),
  );
}

/** A model folder of the disk as a repository. */
export function repositoryFromFolder(folder: string): RepositoryContent {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'));
  return repositoryOf(Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, name))])));
}
