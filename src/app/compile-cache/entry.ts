import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CompiledModel } from '../../contracts/compiled-model.ts';
import { readCompiledModel } from '../../lanes/control-messages.ts';
import { fileChecksum, textChecksum } from './file-checksum.ts';

const DESCRIPTION = 'compiled.json';

/** What `compiled.json` holds: the model without its absolute path, and what the files beside it were when they were made. */
interface Description {
  readonly model: CompiledModel;
  /** Of the model's JSON. */
  readonly checksum: number;
  readonly sizes: Readonly<Record<string, number>>;
  readonly checksums: Readonly<Record<string, number>>;
}

async function fileSizes(folder: string, names: readonly string[]): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const name of names) sizes[name] = (await stat(path.join(folder, name))).size;
  return sizes;
}

async function fileChecksums(folder: string, names: readonly string[]): Promise<Record<string, number>> {
  const checksums: Record<string, number> = {};
  for (const name of names) checksums[name] = await fileChecksum(path.join(folder, name));
  return checksums;
}

/**
 * The compiled model in `folder`, or `undefined` when there is none or it is not whole (a file missing or cut off, a
 * description that makes no sense). Marks the entry as used now.
 */
export async function readEntry(folder: string): Promise<CompiledModel | undefined> {
  try {
    const description = await readDescription(folder);
    const json = JSON.stringify(description.model);
    if (description.checksum !== textChecksum(json)) return undefined;
    const model = readCompiledModel(Buffer.from(json));
    const names = Object.keys(description.sizes);
    const sizes = await fileSizes(folder, names);
    if (names.length === 0 || names.some((name) => sizes[name] !== description.sizes[name])) return undefined;
    await markUsed(folder);
    return { ...model, graphPath: path.join(folder, path.basename(model.graphPath)) };
  } catch {
    return undefined;
  }
}

async function readDescription(folder: string): Promise<Description> {
  return JSON.parse(await readFile(path.join(folder, DESCRIPTION), 'utf8')) as Description;
}

/**
 * Whether every file in `folder` still holds the bytes that were written when it was made. Reads all of them, a gigabyte a
 * second; the caller's thread has turns in between.
 */
export async function isIntact(folder: string): Promise<boolean> {
  try {
    const { checksums } = await readDescription(folder);
    for (const [name, checksum] of Object.entries(checksums)) {
      if ((await fileChecksum(path.join(folder, name))) !== checksum) return false;
    }
    return true;
  } catch {
    return false;
  }
}

/** The time of last use is the folder's mtime; a cache that may only be read keeps the old one. */
async function markUsed(folder: string): Promise<void> {
  const now = new Date();
  await utimes(folder, now, now).catch(() => undefined);
}

/** Makes `workFolder`, where `model` was compiled, the entry `folder` in one step: readers see all of it or nothing. */
export async function commitEntry(
  workFolder: string,
  folder: string,
  model: CompiledModel,
  fileNames: readonly string[],
): Promise<CompiledModel> {
  const description: Description = {
    model,
    checksum: textChecksum(JSON.stringify(model)),
    sizes: await fileSizes(workFolder, fileNames),
    checksums: await fileChecksums(workFolder, fileNames),
  };
  await writeFile(path.join(workFolder, DESCRIPTION), `${JSON.stringify(description, null, 2)}\n`);
  await removeEntry(folder);
  await rename(workFolder, folder);
  return { ...model, graphPath: path.join(folder, path.basename(model.graphPath)) };
}

export async function removeEntry(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
