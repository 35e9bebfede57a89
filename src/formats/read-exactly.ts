import { readSync } from 'node:fs';

/** Part of an open file, which may have become shorter than it was. Throws what `endsAt` makes of the byte where it ends. */
export function readExactly(
  fd: number,
  byteOffset: number,
  byteLength: number,
  endsAt: (byte: number) => Error,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(byteLength);
  let filled = 0;
  while (filled < byteLength) {
    const count = readSync(fd, bytes, filled, byteLength - filled, byteOffset + filled);
    if (count === 0) throw endsAt(byteOffset + filled);
    filled += count;
  }
  return bytes;
}
