import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { ServiceError } from '../contracts/errors.ts';
import type { OutputFormat } from './output-formats.ts';
import type { OutputRow } from './output-row.ts';

/** What a run that was ended left behind. */
interface Checkpoint {
  /** Of which run: its input, its model, its options. */
  readonly run: string;
  readonly rows: number;
  readonly bytes: number;
}

export interface ResumableOutput {
  /** Rows that are there from a run before this one; the next one's index. */
  readonly rowsBefore: number;
  append(rows: readonly OutputRow[]): Promise<void>;
  /** Makes the file that was asked for. */
  finish(): Promise<void>;
  /** Leaves what is there for the next run. */
  close(): Promise<void>;
}

/**
 * Writes `target` so that a run that is killed at any moment can go on: rows are appended to `<target>.partial`, then
 * `<target>.checkpoint` is replaced in one step. What was appended after the last checkpoint is cut off again, so no row
 * is lost or doubled. Throws `invalid_settings` where the target is there already, or belongs to another run.
 */
export async function openResumableOutput(
  target: string,
  format: OutputFormat,
  run: string,
  overwrite: boolean,
): Promise<ResumableOutput> {
  const partial = `${target}.partial`;
  const checkpointFile = `${target}.checkpoint`;
  if (overwrite) await Promise.all([target, partial, checkpointFile].map((file) => rm(file, { force: true })));
  if ((await sizeOf(target)) >= 0) {
    throw new ServiceError(
      'invalid_settings',
      `'${target}': expected a file that is not there yet, got one; --overwrite replaces it`,
    );
  }
  const checkpoint = await readCheckpoint(checkpointFile);
  // A checkpoint whose rows are gone says nothing.
  const before = checkpoint !== undefined && (await sizeOf(partial)) >= checkpoint.bytes ? checkpoint : undefined;
  if (before !== undefined && before.run !== run) {
    throw new ServiceError(
      'invalid_settings',
      `'${checkpointFile}': expected a run with the same input, model and options, got another one; --overwrite starts anew`,
    );
  }
  let rows = before?.rows ?? 0;
  let bytes = before?.bytes ?? 0;
  const file: FileHandle = await open(partial, before === undefined ? 'w' : 'r+');
  await file.truncate(bytes);

  return {
    rowsBefore: rows,
    async append(added) {
      const encoded = format.encode(added);
      await file.write(encoded, 0, encoded.length, bytes);
      // Or a checkpoint could outlive its rows when the machine goes down.
      await file.datasync();
      bytes += encoded.length;
      rows += added.length;
      const reached: Checkpoint = { run, rows, bytes };
      await writeFile(`${checkpointFile}.new`, JSON.stringify(reached));
      await rename(`${checkpointFile}.new`, checkpointFile);
    },
    async finish() {
      await file.close();
      await format.finish(partial, target, rows);
      await rm(checkpointFile, { force: true });
    },
    close: () => file.close(),
  };
}

async function readCheckpoint(filePath: string): Promise<Checkpoint | undefined> {
  try {
    return JSON.parse(await readFile(filePath, 'utf8')) as Checkpoint;
  } catch {
    return undefined;
  }
}

/** -1 when it is not there. */
async function sizeOf(filePath: string): Promise<number> {
  return (await stat(filePath).catch(() => undefined))?.size ?? -1;
}
