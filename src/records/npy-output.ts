import { open, rename, stat } from 'node:fs/promises';
import type { OutputFormat } from './output-formats.ts';
import type { NumbersField } from './output-row.ts';

/** Room for the header, so that the numbers begin where memory mapping wants them. */
const HEADER_BYTES = 128;

/**
 * The header of NumPy's format 1.0 for little-endian float32 in C order, padded to a fixed length.
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */
function npyHeader(shape: readonly number[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES, ' ');
  header.write('\u0093NUMPY\u0001\u0000', 'latin1');
  header.writeUInt16LE(HEADER_BYTES - 10, 8);
  const dimensions = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  header.write(`{'descr': '<f4', 'fortran_order': False, 'shape': (${dimensions}), }`, 10, 'latin1');
  header.write('\n', HEADER_BYTES - 1, 'latin1');
  return header;
}

/** `[rows, width]` vectors, or `[rows]` scores; fields of the input are left out. The shape is written at the end. */
export function npyOutput({ isSingle }: NumbersField): OutputFormat {
  return {
    encode(rows) {
      const numbers = rows.map(({ numbers: row }) => Buffer.from(row.buffer, row.byteOffset, row.byteLength));
      const isStart = rows[0]?.index === 0;
      return Buffer.concat(isStart ? [npyHeader([0]), ...numbers] : numbers);
    },
    async finish(partial, target, rows) {
      const { size } = await stat(partial);
      const width = rows === 0 ? 0 : Math.max(0, size - HEADER_BYTES) / 4 / rows;
      const file = await open(partial, 'r+');
      try {
        await file.write(npyHeader(isSingle ? [rows] : [rows, width]), 0, HEADER_BYTES, 0);
      } finally {
        await file.close();
      }
      await rename(partial, target);
    },
  };
}
