/** Thrown where the bytes of a pickle are not what they should be; whoever knows the file makes a `ServiceError` of it. */
export class PickleError extends Error {
  override readonly name = 'PickleError';
}

/** Reads the bytes of a pickle from front to back; never beyond their end. */
export class PickleCursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get position(): number {
    return this.#at;
  }

  take(byteLength: number): Buffer {
    const start = this.#at;
    if (!(byteLength <= this.#bytes.length - start)) {
      throw new PickleError(`ends within an instruction at byte ${start}`);
    }
    this.#at += byteLength;
    return this.#bytes.subarray(start, this.#at);
  }

  byte(): number {
    return this.take(1).readUInt8(0);
  }

  unsigned(byteLength: 1 | 2 | 4): number {
    return this.take(byteLength).readUIntLE(0, byteLength);
  }

  /** Of 64 bits; larger than what a number holds exactly, it is longer than any file. */
  unsigned64(): number {
    return Number(this.take(8).readBigUInt64LE(0));
  }

  text(byteLength: number): string {
    return this.take(byteLength).toString('utf8');
  }

  /** Up to a line feed, which is left out. */
  line(): string {
    const end = this.#bytes.indexOf(0x0a, this.#at);
    if (end === -1) throw new PickleError(`ends within an instruction at byte ${this.#at}`);
    const line = this.text(end - this.#at);
    this.#at = end + 1;
    return line;
  }

  /** A whole number of any length, little-endian in two's complement; too long a one becomes infinite. */
  long(byteLength: number): number {
    const bytes = this.take(byteLength);
    if (byteLength === 0) return 0;
    if (byteLength > 8) return Number.POSITIVE_INFINITY;
    const hex = Buffer.from(bytes).reverse().toString('hex');
    return Number(BigInt.asIntN(byteLength * 8, BigInt(`0x${hex}`)));
  }
}
