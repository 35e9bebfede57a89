import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { ServiceError } from '../../contracts/errors.ts';
import { readExactly } from '../read-exactly.ts';

/** Part of a file: the whole of it, or what lies inside one field. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

/** A field of a message. */
export interface ProtoField {
  readonly number: number;
  /** Of a message, a string or bytes: where they lie. Of a number: its own bytes. */
  readonly region: Region;
  /** Of a varint; 0 for others. */
  readonly value: number;
}

const WINDOW_BYTES = 1 << 16;
/** A tag and a length, 10 bytes each at most. */
const LONGEST_HEADER = 20;

/**
 * A protobuf message that stays in its file: fields are found by hopping from length to length, so that a model of
 * gigabytes costs as many small reads as it has weights. Every length is checked against what it lies in.
 */
export class ProtoFile {
  readonly #fd: number;
  readonly #label: string;
  readonly size: number;
  #window: Uint8Array = new Uint8Array();
  #windowStart = 0;

  /** `label` names the file in messages. */
  constructor(fd: number, size: number, label: string) {
    this.#fd = fd;
    this.size = size;
    this.#label = label;
  }

  damaged(what: string): ServiceError {
    return new ServiceError('invalid_checkpoint', `${this.#label}: expected an ONNX model, ${what}`);
  }

  /** Throws `invalid_checkpoint` where the bytes are no message. */
  *fields(region: Region): Iterable<ProtoField> {
    let at = region.start;
    while (at < region.end) {
      const field = this.#field(at, region.end);
      yield field;
      at = field.region.end;
    }
  }

  #field(at: number, end: number): ProtoField {
    const reader = new BinaryReader(this.#peek(at, Math.min(end, at + LONGEST_HEADER)));
    try {
      const [number, wireType] = reader.tag();
      const value = wireType === WireType.Varint ? Number(reader.int64()) : 0;
      if (wireType === WireType.Varint) return this.#within(at, end, { number, value, size: 0, skipped: reader.pos });
      const size = sizeOf(wireType, reader);
      return this.#within(at, end, { number, value, size, skipped: reader.pos });
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      throw this.damaged(`got other bytes at ${at}`);
    }
  }

  #within(
    at: number,
    end: number,
    field: { number: number; value: number; size: number; skipped: number },
  ): ProtoField {
    const { number, value, size, skipped } = field;
    const start = at + skipped;
    if (start + size > end) throw this.damaged(`got a field at byte ${at} that is longer than what it lies in`);
    return { number, value, region: { start, end: start + size } };
  }

  #peek(start: number, end: number): Uint8Array {
    if (start < this.#windowStart || end > this.#windowStart + this.#window.length) {
      this.#window = this.bytes({ start, end: Math.min(this.size, Math.max(end, start + WINDOW_BYTES)) });
      this.#windowStart = start;
    }
    return this.#window.subarray(start - this.#windowStart, end - this.#windowStart);
  }

  bytes({ start, end }: Region): Uint8Array {
    return readExactly(this.#fd, start, end - start, (byte) => this.damaged(`got a file that ends at byte ${byte}`));
  }

  text(region: Region): string {
    return Buffer.from(this.bytes(region)).toString('utf8');
  }
}

function sizeOf(wireType: WireType, reader: BinaryReader): number {
  if (wireType === WireType.LengthDelimited) return reader.uint32();
  if (wireType === WireType.Bit64) return 8;
  if (wireType === WireType.Bit32) return 4;
  throw new Error('groups are not part of the format');
}
