import { open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

/** Read at once: under a millisecond of the thread. */
const CHUNK_BYTES = 512 * 1024;

/** CRC-32 of a file: it finds damage, which is no adversary. */
export async function fileChecksum(filePath: string): Promise<number> {
  const file = await open(filePath);
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let checksum = 0;
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return checksum;
      checksum = crc32(chunk.subarray(0, bytesRead), checksum);
    }
  } finally {
    await file.close();
  }
}

export function textChecksum(text: string): number {
  return crc32(text);
}
