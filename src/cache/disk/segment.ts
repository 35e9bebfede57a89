import { type FileHandle, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { RECORD_HEAD_BYTES, type RecordHead, readRecordHead } from './record.ts';

/** Starts every segment file; another one is not ours, or was damaged. */
const FILE_HEAD = Buffer.from('infinity vectors 1\n');
/** What is read at once while looking for records. */
const WINDOW_BYTES = 256 * 1024;

/** A file of records that grows at its end. Many may read it; only the process that made it appends. */
export interface Segment {
  readonly name: string;
  /** Up to where it holds records. */
  readonly bytes: number;
  /** What can be found in it, by fingerprint, repetitions included. */
  readonly fingerprints: number[];
  read(offset: number, bytes: number): Promise<Buffer>;
  /** Resolves with the offset of the first byte. A failed write leaves the segment as it was. */
  append(records: Buffer): Promise<number>;
  /** False once somebody has removed the file. */
  isLinked(): Promise<boolean>;
  close(): Promise<void>;
}

/** A new, empty segment. */
export async function createSegment(folder: string, name: string): Promise<Segment> {
  const filePath = path.join(folder, name);
  const handle = await open(filePath, 'wx+', 0o600);
  const segment = segmentOf(handle, name, 0);
  try {
    await segment.append(FILE_HEAD);
  } catch (error) {
    await segment.close();
    await rm(filePath, { force: true });
    throw error;
  }
  return segment;
}

/** Told of each record: its place and what its head says. */
export type OnRecord = (offset: number, head: RecordHead) => void;

/**
 * Opens a segment that some process wrote, and reads where its records are. It ends at the first record that is not whole:
 * a write that was cut off, or damage. `undefined` when the file is not a segment.
 */
export async function openSegment(folder: string, name: string, onRecord: OnRecord): Promise<Segment | undefined> {
  const filePath = path.join(folder, name);
  const handle = await open(filePath, 'r');
  try {
    const end = await scan(handle, onRecord);
    if (end !== undefined) return segmentOf(handle, name, end);
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

async function scan(handle: FileHandle, onRecord: OnRecord): Promise<number | undefined> {
  const fileBytes = (await handle.stat()).size;
  let window = await readAt(handle, 0, WINDOW_BYTES);
  let windowOffset = 0;
  if (!window.subarray(0, FILE_HEAD.length).equals(FILE_HEAD)) return undefined;
  let offset = FILE_HEAD.length;
  for (;;) {
    if (offset + RECORD_HEAD_BYTES > windowOffset + window.length) {
      window = await readAt(handle, offset, WINDOW_BYTES);
      windowOffset = offset;
    }
    const start = offset - windowOffset;
    const head = readRecordHead(window.subarray(start, start + RECORD_HEAD_BYTES));
    if (head === undefined || offset + head.bytes > fileBytes) return offset;
    onRecord(offset, head);
    offset += head.bytes;
  }
}

async function readAt(handle: FileHandle, offset: number, bytes: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(bytes), 0, bytes, offset);
  return buffer.subarray(0, bytesRead);
}

function segmentOf(handle: FileHandle, name: string, start: number): Segment {
  let end = start;
  return {
    name,
    get bytes() {
      return end;
    },
    fingerprints: [],
    read: (offset, bytes) => readAt(handle, offset, bytes),
    async append(records) {
      const offset = end;
      for (let written = 0; written < records.length; ) {
        written += (await handle.write(records, written, records.length - written, offset + written)).bytesWritten;
      }
      end = offset + records.length;
      return offset;
    },
    isLinked: async () => (await handle.stat()).nlink > 0,
    close: () => handle.close(),
  };
}
