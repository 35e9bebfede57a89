import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { ExternalData } from './onnx-model.ts';

/** Runtimes map whole pages of the file into memory: a weight that begins on a page needs no copy. */
const ALIGNMENT_BYTES = 4096;

export interface WeightsFile {
  /** Writes one weight, piece by piece, and says where it lies. */
  append(pieces: Iterable<Uint8Array>): ExternalData;
  close(): void;
}

function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, position + written);
  }
}

/** Creates the file that holds the weights of a graph beside it. Throws the file system's errors. */
export function createWeightsFile(filePath: string): WeightsFile {
  const fd = openSync(filePath, 'wx');
  const fileName = path.basename(filePath);
  let end = 0;
  return {
    append(pieces) {
      const byteOffset = Math.ceil(end / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
      end = byteOffset;
      for (const piece of pieces) {
        writeAll(fd, piece, end);
        end += piece.length;
      }
      return { fileName, byteOffset, byteLength: end - byteOffset };
    },
    close: () => closeSync(fd),
  };
}
