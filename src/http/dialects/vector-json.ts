import { endianness } from 'node:os';
import type { DenseVector, TokenVectors } from '../../contracts/engine.ts';
import { ServiceError } from '../../contracts/errors.ts';

export type EncodingFormat = 'float' | 'base64';

/**
 * The JSON text of a vector. A float32 is widened to double and printed in full, as the original prints it: 0.1 becomes
 * 0.10000000149011612; integers are integers, where the original prints 51.0. `JSON.stringify` of a plain list, which holds
 * doubles without boxes, is faster than `join` of the typed array. As base64 it is the vector's own bytes,
 * float32 in little-endian order. Throws `run_failed` at a number that JSON cannot hold.
 */
export function vectorJson(vector: DenseVector, format: EncodingFormat, name: string): string {
  refuseNotFinite(vector, name);
  return format === 'base64' ? `"${littleEndianBytes(vector).toString('base64')}"` : JSON.stringify(Array.from(vector));
}

/** A row for each token; as base64 the rows one after another. */
export function tokenVectorsJson({ width, numbers }: TokenVectors, format: EncodingFormat, name: string): string {
  if (format === 'base64') return vectorJson(numbers, format, name);
  refuseNotFinite(numbers, name);
  const rows: string[] = [];
  for (let start = 0; start < numbers.length; start += width) {
    rows.push(JSON.stringify(Array.from(numbers.subarray(start, start + width))));
  }
  return `[${rows.join(',')}]`;
}

function littleEndianBytes(vector: DenseVector): Buffer {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  return endianness() === 'LE' || vector.BYTES_PER_ELEMENT === 1 ? bytes : Buffer.from(bytes).swap32();
}

/** Anything times 0 is 0, except what is not finite. */
function refuseNotFinite(vector: DenseVector, name: string): void {
  let sum = 0;
  for (const value of vector) sum += value * 0;
  if (sum === 0) return;
  throw new ServiceError('run_failed', `${name}: expected finite numbers, got a vector with NaN or infinity`);
}
