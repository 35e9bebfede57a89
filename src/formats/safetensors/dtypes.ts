/** Bytes of one element, by the name that safetensors headers use. */
export const DTYPE_BYTES: ReadonlyMap<string, number> = new Map([
  ['F64', 8],
  ['F32', 4],
  ['F16', 2],
  ['BF16', 2],
  ['F8_E4M3', 1],
  ['F8_E5M2', 1],
  ['I64', 8],
  ['I32', 4],
  ['I16', 2],
  ['I8', 1],
  ['U64', 8],
  ['U32', 4],
  ['U16', 2],
  ['U8', 1],
  ['BOOL', 1],
]);

/** Storage types whose numbers can be weights. */
export const FLOAT_DTYPES: readonly string[] = ['F32', 'F16', 'BF16', 'F64'];
