import type { FileHandle } from 'node:fs/promises';
import { ServiceError } from '../../contracts/errors.ts';

export interface ZipEntry {
  readonly name: string;
  /** Of the entry's own header, from the start of the file. */
  readonly headerOffset: number;
  readonly byteLength: number;
}

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const COMMENT_LIMIT_BYTES = 0xffff;
const END64_LOCATOR_SIGNATURE = 0x07064b50;
const END64_LOCATOR_BYTES = 20;
const END64_SIGNATURE = 0x06064b50;
const END64_BYTES = 56;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const ZIP64_EXTRA = 1;
/** Stands in a field of 32 bits for a value that a field of 64 bits holds. */
const IN_64_BITS = 0xffffffff;

/** Guards memory against a corrupt size; the largest public checkpoints need some hundred kilobytes. */
const DIRECTORY_LIMIT_BYTES = 64_000_000;

function invalid(fileName: string, what: string): ServiceError {
  return new ServiceError('invalid_checkpoint', `${fileName}: ${what}`);
}

/** A byte range of the file, which is checked against its real size. Throws `invalid_checkpoint`. */
export async function readBytes(
  handle: FileHandle,
  fileName: string,
  byteOffset: number,
  byteLength: number,
): Promise<Buffer> {
  const bytes = Buffer.alloc(byteLength);
  const { bytesRead } = await handle.read(bytes, 0, byteLength, byteOffset);
  if (bytesRead === byteLength) return bytes;
  throw invalid(fileName, `expected ${byteLength} bytes at byte ${byteOffset}, the file has ${bytesRead} there`);
}

function wide(bytes: Buffer, offset: number): number {
  return Number(bytes.readBigUInt64LE(offset));
}

interface Directory {
  readonly byteOffset: number;
  readonly byteLength: number;
}

async function findDirectory(handle: FileHandle, fileName: string, fileBytes: number): Promise<Directory> {
  const tailBytes = Math.min(fileBytes, END_BYTES + COMMENT_LIMIT_BYTES);
  const tail = await readBytes(handle, fileName, fileBytes - tailBytes, tailBytes);
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END_SIGNATURE) continue;
    const locatorAt = at - END64_LOCATOR_BYTES;
    if (locatorAt < 0 || tail.readUInt32LE(locatorAt) !== END64_LOCATOR_SIGNATURE) {
      return { byteOffset: tail.readUInt32LE(at + 16), byteLength: tail.readUInt32LE(at + 12) };
    }
    const end64 = await readBytes(handle, fileName, checkedOffset(fileName, wide(tail, locatorAt + 8)), END64_BYTES);
    if (end64.readUInt32LE(0) !== END64_SIGNATURE)
      throw invalid(fileName, 'its zip64 directory is not where it should be');
    return { byteOffset: wide(end64, 48), byteLength: wide(end64, 40) };
  }
  throw invalid(fileName, 'it begins as a zip archive and has no directory at its end: it is truncated');
}

function checkedOffset(fileName: string, value: number): number {
  if (Number.isSafeInteger(value)) return value;
  throw invalid(fileName, `its zip directory names byte ${value}, expected a place in the file`);
}

/** The values of the zip64 extra field, in the order of the fields that are replaced. */
function wideValues(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; ) {
    const size = extra.readUInt16LE(at + 2);
    const end = Math.min(at + 4 + size, extra.length);
    if (extra.readUInt16LE(at) === ZIP64_EXTRA) {
      const values: number[] = [];
      for (let value = at + 4; value + 8 <= end; value += 8) values.push(wide(extra, value));
      return values;
    }
    at = end;
  }
  return [];
}

interface ParsedEntry {
  readonly entry: ZipEntry;
  readonly nextAt: number;
}

function parseEntry(bytes: Buffer, at: number, fileName: string): ParsedEntry {
  if (at + ENTRY_BYTES > bytes.length || bytes.readUInt32LE(at) !== ENTRY_SIGNATURE) {
    throw invalid(fileName, `its zip directory is damaged at byte ${at}`);
  }
  const nameEnd = at + ENTRY_BYTES + bytes.readUInt16LE(at + 28);
  const extraEnd = nameEnd + bytes.readUInt16LE(at + 30);
  const nextAt = extraEnd + bytes.readUInt16LE(at + 32);
  if (nextAt > bytes.length) throw invalid(fileName, `its zip directory is damaged at byte ${at}`);
  const name = bytes.toString('utf8', at + ENTRY_BYTES, nameEnd);
  const isEncrypted = (bytes.readUInt16LE(at + 8) & 1) === 1;
  const method = bytes.readUInt16LE(at + 10);
  if (isEncrypted || method !== 0) {
    const actual = isEncrypted ? 'encrypted' : `compressed by method ${method}`;
    throw invalid(fileName, `'${name.slice(0, 100)}' is ${actual}, expected it stored as it is`);
  }
  const spare = wideValues(bytes.subarray(nameEnd, extraEnd));
  const size = bytes.readUInt32LE(at + 24);
  const byteLength = size === IN_64_BITS ? (spare.shift() ?? size) : size;
  // The compressed size, which is the same for stored entries, comes between the two in the extra field.
  if (bytes.readUInt32LE(at + 20) === IN_64_BITS) spare.shift();
  const offset = bytes.readUInt32LE(at + 42);
  const headerOffset = offset === IN_64_BITS ? (spare.shift() ?? offset) : offset;
  return { entry: { name, headerOffset: checkedOffset(fileName, headerOffset), byteLength }, nextAt };
}

/**
 * The entries of a zip archive that stores them as they are, as torch.save writes it. Throws `invalid_checkpoint` where
 * the directory is missing or damaged, or an entry is compressed.
 * Source: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
export async function readZipDirectory(
  handle: FileHandle,
  fileName: string,
  fileBytes: number,
): Promise<ReadonlyMap<string, ZipEntry>> {
  const directory = await findDirectory(handle, fileName, fileBytes);
  const end = directory.byteOffset + directory.byteLength;
  if (directory.byteLength > DIRECTORY_LIMIT_BYTES || !(end <= fileBytes)) {
    throw invalid(
      fileName,
      `its zip directory should be ${directory.byteLength} bytes at byte ${directory.byteOffset}, the file has ${fileBytes}`,
    );
  }
  const bytes = await readBytes(handle, fileName, directory.byteOffset, directory.byteLength);
  const entries = new Map<string, ZipEntry>();
  for (let at = 0; at < bytes.length; ) {
    const { entry, nextAt } = parseEntry(bytes, at, fileName);
    entries.set(entry.name, entry);
    at = nextAt;
  }
  return entries;
}
