import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from '../../contracts/logger.ts';
import type { VectorEntry, VectorStore } from '../../contracts/vector-store.ts';
import { countLookups, newCounts } from '../store-counts.ts';
import { planReads, type SegmentRead, type WantedRecord } from './plan-reads.ts';
import { decodeRecord, encodeRecord, keyFingerprint, recordBytes, recordFingerprint } from './record.ts';
import { RecordIndex, type RecordPlace } from './record-index.ts';
import { createSegment, openSegment, type Segment } from './segment.ts';
import { listSegments, newSegmentName, removeDamaged, setAside } from './segment-files.ts';

/** A full cache loses this part of it at once. */
const SEGMENTS_AT_LIMIT = 16;
/** Guards file descriptors: each start that stores something makes a segment, however small. */
const MAX_SEGMENTS = 128;
/** What goes into one write. */
const WRITE_BYTES = 1024 * 1024;

export interface DiskStoreOptions {
  readonly folder: string;
  /** Bounds the folder; with several processes each may add one sixteenth before it makes room. */
  readonly limitBytes: number;
  readonly logger: Logger;
}

export interface DiskStore extends VectorStore {
  /** Resolves when what was there at the start can be found; until then some of it is not. */
  readonly scanned: Promise<void>;
}

/**
 * Keeps rows in files that only grow: nothing is ever changed in place, so a process that is killed loses at most what it
 * was writing. Several processes may share a folder; each finds what the others had written when it started. Every record
 * has a checksum and its whole key, so a damaged one is a miss.
 */
export function createDiskStore({ folder, limitBytes, logger }: DiskStoreOptions): DiskStore {
  const index = new RecordIndex();
  const counts = newCounts();
  const segmentBytes = Math.floor(limitBytes / SEGMENTS_AT_LIMIT);
  let active: Segment | undefined;
  let closing = false;
  const scanned = scanAll();
  /** Writes one after the other; what one of them rejects with is its caller's. */
  let writing: Promise<unknown> = scanned;

  async function scanAll(): Promise<void> {
    const files = await listSegments(folder).catch(reportUnreadable);
    // The newest first: they are the likeliest to be asked for.
    for (const { name, bytes } of (files ?? []).toReversed()) {
      if (!closing) await scanOne(name, bytes).catch(reportUnreadable);
    }
  }

  function reportUnreadable(error: unknown): undefined {
    counts.errors += 1;
    logger.warning(`The vector cache in ${folder} cannot be read: ${String(error)}`);
  }

  async function scanOne(name: string, fileBytes: number): Promise<void> {
    const records: { fingerprint: number; offset: number; bytes: number }[] = [];
    const segment = await openSegment(folder, name, (offset, head) => records.push({ offset, ...head }));
    if (segment === undefined) {
      counts.errors += 1;
      logger.warning(`A file of the vector cache is damaged and set aside: ${name} in ${folder}`);
      await setAside(folder, name);
      return;
    }
    index.segments.unshift(segment);
    for (const { fingerprint, ...place } of records) {
      if (index.find(fingerprint) === undefined) index.set(fingerprint, { segment, ...place });
    }
    if (segment.bytes < fileBytes) {
      logger.info(
        `A file of the vector cache ends early; ${fileBytes - segment.bytes} bytes of it are left out: ${name}`,
      );
    }
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = writing.then(work);
    writing = done.catch(() => undefined);
    return done;
  }

  async function readInto(rows: (Float32Array | undefined)[], read: SegmentRead): Promise<void> {
    const bytes = await read.segment.read(read.offset, read.bytes).catch((error: unknown) => {
      if (index.segments.includes(read.segment)) throw error;
      // Removed between lookup and read.
      return undefined;
    });
    if (bytes === undefined) return;
    for (const { key, fingerprint, index: position, place } of read.records) {
      const start = place.offset - read.offset;
      const row = decodeRecord(bytes.subarray(start, start + place.bytes), key);
      rows[position] = row;
      if (row !== undefined) continue;
      counts.errors += 1;
      index.forget(fingerprint, place);
    }
  }

  /** Records of the segments that go next are written again when they are used. */
  function isOld({ segment }: RecordPlace): boolean {
    return index.bytes > limitBytes / 2 && index.segments.indexOf(segment) < index.segments.length / 4;
  }

  async function write(entries: readonly VectorEntry[]): Promise<void> {
    let batch: Buffer[] = [];
    let batchBytes = 0;
    const flush = async () => {
      if (batch.length > 0) await append(batch);
      batch = [];
      batchBytes = 0;
    };
    for (const entry of entries) {
      const bytes = recordBytes(entry);
      if (bytes > segmentBytes / 2) continue;
      if (batchBytes + bytes > Math.min(WRITE_BYTES, segmentBytes / 2)) await flush();
      batch.push(encodeRecord(entry));
      batchBytes += bytes;
    }
    await flush();
  }

  async function append(records: readonly Buffer[]): Promise<void> {
    const segment = await segmentFor(records.reduce((sum, record) => sum + record.length, 0));
    let offset = await segment.append(Buffer.concat(records));
    for (const record of records) {
      index.set(recordFingerprint(record), { segment, offset, bytes: record.length });
      offset += record.length;
    }
  }

  async function segmentFor(bytes: number): Promise<Segment> {
    if (active !== undefined && !(await active.isLinked())) {
      // Somebody has cleared the folder.
      active = undefined;
      await index.removeAll();
    }
    if (active !== undefined && active.bytes + bytes <= segmentBytes) return active;
    await makeRoom();
    active = await createSegment(folder, newSegmentName(Date.now()));
    index.segments.push(active);
    return active;
  }

  async function makeRoom(): Promise<void> {
    const files = [...(await listSegments(folder))];
    const names = new Set(files.map(({ name }) => name));
    // Removed by another process; open, they would still take their place on the disk.
    for (const segment of index.segments.filter(({ name }) => !names.has(name))) await index.removeSegment(segment);
    let total = files.reduce((sum, file) => sum + file.bytes, 0);
    while (total + segmentBytes > limitBytes || files.length >= MAX_SEGMENTS) {
      const oldest = files.shift();
      if (oldest === undefined) return;
      total -= oldest.bytes;
      await removeFile(oldest.name);
    }
  }

  async function removeFile(name: string): Promise<void> {
    await rm(path.join(folder, name), { force: true });
    const segment = index.segments.find((each) => each.name === name);
    if (segment !== undefined) counts.evictions += await index.removeSegment(segment);
  }

  const known = () => ({ ...counts, entries: index.entries, bytes: index.bytes, limitBytes });

  return {
    name: `disk, ${folder}`,
    scanned,
    async getMany(keys) {
      const wanted = keys.flatMap((key, position): WantedRecord[] => {
        const fingerprint = keyFingerprint(key);
        const place = index.find(fingerprint);
        return place === undefined ? [] : [{ key, fingerprint, index: position, place }];
      });
      const rows: (Float32Array | undefined)[] = keys.map(() => undefined);
      await Promise.all(planReads(wanted).map((read) => readInto(rows, read)));
      countLookups(counts, rows);
      const used = wanted.flatMap(({ key, place, index: position }) => {
        const row = rows[position];
        return row !== undefined && isOld(place) ? [{ key, row }] : [];
      });
      if (used.length > 0) inTurn(() => write(used)).catch(() => undefined);
      return rows;
    },
    setMany: (entries) =>
      inTurn(() => write(entries.filter(({ key }) => index.find(keyFingerprint(key)) === undefined))),
    counts: known,
    async stats() {
      await scanned;
      return known();
    },
    clear: () =>
      inTurn(async () => {
        active = undefined;
        await index.removeAll();
        for (const { name } of await listSegments(folder)) await removeFile(name);
        await removeDamaged(folder);
      }),
    close() {
      closing = true;
      return inTurn(() => index.removeAll());
    },
  };
}
