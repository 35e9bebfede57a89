import type { Encoding } from '../contracts/tokenizer.ts';

/** The rows of a request end to end, so that they cross between threads as three buffers that nobody copies. */
export interface PackedEncodings {
  /** `[sum of lengths]` */
  readonly ids: Int32Array<ArrayBuffer>;
  /** `[sum of lengths]` */
  readonly typeIds: Int32Array<ArrayBuffer>;
  /** `[rows]` */
  readonly lengths: Int32Array<ArrayBuffer>;
}

export function packEncodings(encodings: readonly Encoding[]): PackedEncodings {
  const lengths = Int32Array.from(encodings, (encoding) => encoding.ids.length);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  const packed = { ids: new Int32Array(total), typeIds: new Int32Array(total), lengths };
  let start = 0;
  for (const { ids, typeIds } of encodings) {
    packed.ids.set(ids, start);
    packed.typeIds.set(typeIds, start);
    start += ids.length;
  }
  return packed;
}

/** The rows again, as views of the packed arrays. */
export function unpackEncodings({ ids, typeIds, lengths }: PackedEncodings): readonly Encoding[] {
  let end = 0;
  return Array.from(lengths, (length) => {
    const start = end;
    end += length;
    return { ids: ids.subarray(start, end), typeIds: typeIds.subarray(start, end) };
  });
}
