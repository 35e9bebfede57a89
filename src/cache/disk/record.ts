import { crc32 } from 'node:zlib';
import type { VectorEntry } from '../../contracts/vector-store.ts';

// A record: magic, bytes of the numbers, crc32 of key and numbers, crc32 of these three (each uint32, little-endian); the
// key; the numbers as float32, little-endian as on every machine that Node.js and ONNX Runtime both run on.
const MAGIC = 0x1d5ec7a1;
const HEADER_BYTES = 16;
const KEY_BYTES = 32;
/** What is read of a record to know where the next one starts. */
export const RECORD_HEAD_BYTES = HEADER_BYTES + KEY_BYTES;
const KEY_FORM = /^[\w-]{43}$/;

export function recordBytes({ row }: Pick<VectorEntry, 'row'>): number {
  return RECORD_HEAD_BYTES + row.byteLength;
}

/** Throws where a key is not sha256 in base64url. */
export function encodeRecord({ key, row }: VectorEntry): Buffer {
  const record = Buffer.alloc(recordBytes({ row }));
  record.set(rawKey(key), HEADER_BYTES);
  record.set(new Uint8Array(row.buffer, row.byteOffset, row.byteLength), RECORD_HEAD_BYTES);
  record.writeUInt32LE(MAGIC, 0);
  record.writeUInt32LE(row.byteLength, 4);
  record.writeUInt32LE(crc32(record.subarray(HEADER_BYTES)), 8);
  record.writeUInt32LE(crc32(record.subarray(0, 12)), 12);
  return record;
}

export interface RecordHead {
  /** Of the whole record. */
  readonly bytes: number;
  readonly fingerprint: number;
}

/** What the head of a record says; `undefined` where none starts here, or a damaged one. */
export function readRecordHead(head: Buffer): RecordHead | undefined {
  if (head.length < RECORD_HEAD_BYTES || head.readUInt32LE(0) !== MAGIC) return undefined;
  if (head.readUInt32LE(12) !== crc32(head.subarray(0, 12))) return undefined;
  return { bytes: RECORD_HEAD_BYTES + head.readUInt32LE(4), fingerprint: recordFingerprint(head) };
}

/** The numbers of a whole record; `undefined` when it is damaged or of another key. */
export function decodeRecord(record: Buffer, key: string): Float32Array | undefined {
  const head = readRecordHead(record);
  if (head?.bytes !== record.length || record.readUInt32LE(8) !== crc32(record.subarray(HEADER_BYTES)))
    return undefined;
  if (!rawKey(key).equals(record.subarray(HEADER_BYTES, RECORD_HEAD_BYTES))) return undefined;
  const row = new Float32Array((record.length - RECORD_HEAD_BYTES) / Float32Array.BYTES_PER_ELEMENT);
  new Uint8Array(row.buffer).set(record.subarray(RECORD_HEAD_BYTES));
  return row;
}

/** 48 bits of a key, which find a record; the record holds the whole key. */
export function keyFingerprint(key: string): number {
  return fingerprintOf(rawKey(key));
}

export function recordFingerprint(record: Buffer): number {
  return fingerprintOf(record.subarray(HEADER_BYTES));
}

function fingerprintOf(rawKey: Buffer): number {
  return rawKey.readUIntLE(0, 6);
}

function rawKey(key: string): Buffer {
  if (!KEY_FORM.test(key)) throw new Error(`a key must be sha256 in base64url, got ${key.length} characters`);
  return Buffer.from(key, 'base64url');
}
