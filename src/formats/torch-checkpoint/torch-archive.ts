import type { FileHandle } from 'node:fs/promises';
import { ServiceError } from '../../contracts/errors.ts';
import { readBytes, readZipDirectory, type ZipEntry } from './read-zip-directory.ts';

/** A byte range of the file. */
export interface ByteRange {
  readonly byteOffset: number;
  readonly byteLength: number;
}

/** What torch.save writes: a pickle with everything but the numbers, and one entry for each storage of numbers. */
export interface TorchArchive {
  readonly fileBytes: number;
  readonly pickle: Buffer;
  /** Where the numbers of a storage lie. Throws `invalid_checkpoint` where it is missing or does not fit the file. */
  storageRange(key: string): Promise<ByteRange>;
}

/** Guards memory against a corrupt size; the largest public checkpoints need some megabytes per file. */
const PICKLE_LIMIT_BYTES = 100_000_000;

const LFS_POINTER_START = 'version https://git-lfs.github.com/spec/';
const LOCAL_HEADER_SIGNATURE = 0x04034b50;
const LOCAL_HEADER_BYTES = 30;

function invalid(message: string): ServiceError {
  return new ServiceError('invalid_checkpoint', message);
}

/** Says in words why the first bytes of a file cannot start such an archive; `undefined` when they can. */
function objection(start: Buffer, fileBytes: number): string | undefined {
  if (start.toString('latin1') === LFS_POINTER_START) {
    return `is a Git LFS pointer of ${fileBytes} bytes, not the weights; fetch them with 'git lfs pull'`;
  }
  if (start.length >= 4 && start.readUInt32LE(0) === LOCAL_HEADER_SIGNATURE) return undefined;
  if (start[0] === 0x80) {
    return 'is in the format that torch wrote before version 1.6, which is not read; load it and save it again with torch.save, or as safetensors';
  }
  return 'is not a checkpoint of torch.save: expected a zip archive';
}

async function entryRange(
  handle: FileHandle,
  fileName: string,
  entry: ZipEntry,
  fileBytes: number,
): Promise<ByteRange> {
  const header = await readBytes(handle, fileName, entry.headerOffset, LOCAL_HEADER_BYTES);
  if (header.readUInt32LE(0) !== LOCAL_HEADER_SIGNATURE) {
    throw invalid(`${fileName}: '${entry.name}' should begin at byte ${entry.headerOffset}, there is something else`);
  }
  const byteOffset = entry.headerOffset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (byteOffset + entry.byteLength <= fileBytes) return { byteOffset, byteLength: entry.byteLength };
  throw invalid(
    `${fileName}: '${entry.name}' should end at byte ${byteOffset + entry.byteLength}, the file has ${fileBytes}: it is truncated`,
  );
}

/** Opens the archive in a file. `fileName` is for messages. Throws `invalid_checkpoint`. */
export async function readTorchArchive(handle: FileHandle, fileName: string): Promise<TorchArchive> {
  const fileBytes = (await handle.stat()).size;
  const start = await readBytes(handle, fileName, 0, Math.min(fileBytes, LFS_POINTER_START.length));
  const problem = objection(start, fileBytes);
  if (problem !== undefined) throw invalid(`${fileName} ${problem}`);
  const entries = await readZipDirectory(handle, fileName, fileBytes);
  const pickleEntry = [...entries.values()].find(({ name }) => /^[^/]*\/data\.pkl$|^data\.pkl$/.test(name));
  if (pickleEntry === undefined) throw invalid(`${fileName} is a zip archive without data.pkl`);
  const top = pickleEntry.name.slice(0, -'data.pkl'.length);

  async function readEntry(entry: ZipEntry): Promise<Buffer> {
    if (entry.byteLength > PICKLE_LIMIT_BYTES) {
      throw invalid(
        `${fileName}: '${entry.name}' has ${entry.byteLength} bytes, expected at most ${PICKLE_LIMIT_BYTES}`,
      );
    }
    const { byteOffset, byteLength } = await entryRange(handle, fileName, entry, fileBytes);
    return readBytes(handle, fileName, byteOffset, byteLength);
  }

  const orderEntry = entries.get(`${top}byteorder`);
  const order = orderEntry === undefined ? 'little' : (await readEntry(orderEntry)).toString('latin1').slice(0, 20);
  if (order !== 'little') throw invalid(`${fileName}: its byte order is '${order}', expected 'little'`);
  return {
    fileBytes,
    pickle: await readEntry(pickleEntry),
    async storageRange(key) {
      const entry = entries.get(`${top}data/${key}`);
      if (entry === undefined)
        throw invalid(`${fileName} has no storage '${key.slice(0, 100)}', which its pickle names`);
      return entryRange(handle, fileName, entry, fileBytes);
    },
  };
}
