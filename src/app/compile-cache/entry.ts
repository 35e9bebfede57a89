import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CompiledModel } from '../../contracts/compiled-model.ts';
import { readCompiledModel } from '../../lanes/control-messages.ts';

const DESCRIPTION = 'compiled.json';

/** What `compiled.json` holds: the model without its absolute path, and the size of each file beside it. */
interface Description {
  readonly model: CompiledModel;
  readonly sizes: Readonly<Record<string, number>>;
}

async function fileSizes(folder: string, names: readonly string[]): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const name of names) sizes[name] = (await stat(path.join(folder, name))).size;
  return sizes;
}

/**
 * The compiled model in `folder`, or `undefined` when there is none or it is not whole (a file missing or cut off, a
 * description that makes no sense). Marks the entry as used now.
 */
export async function readEntry(folder: string): Promise<CompiledModel | undefined> {
  try {
    const description = JSON.parse(await readFile(path.join(folder, DESCRIPTION), 'utf8')) as Description;
    const model = readCompiledModel(Buffer.from(JSON.stringify(description.model)));
    const names = Object.keys(description.sizes);
    const sizes = await fileSizes(folder, names);
    if (names.length === 0 || names.some((name) => sizes[name] !== description.sizes[name])) return undefined;
    await markUsed(folder);
    return { ...model, graphPath: path.join(folder, path.basename(model.graphPath)) };
  } catch {
    return undefined;
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
  const description: Description = { model, sizes: await fileSizes(workFolder, fileNames) };
  await writeFile(path.join(workFolder, DESCRIPTION), `${JSON.stringify(description, null, 2)}\n`);
  await removeEntry(folder);
  await rename(workFolder, folder);
  return { ...model, graphPath: path.join(folder, path.basename(model.graphPath)) };
}

export async function removeEntry(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
