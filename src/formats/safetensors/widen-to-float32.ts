/** Every float16 value as float32, by its bits: 256 KiB, made once. */
let float16Table: Float32Array | undefined;

function makeFloat16Table(): Float32Array {
  const table = new Float32Array(0x10000);
  for (let bits = 0; bits < 0x10000; bits += 1) {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 0x1f;
    const fraction = bits & 0x3ff;
    if (exponent === 0) table[bits] = sign * fraction * 2 ** -24;
    else if (exponent === 0x1f) table[bits] = fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
    else table[bits] = sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  }
  return table;
}

function fromFloat16(bits: Uint16Array): Float32Array {
  float16Table ??= makeFloat16Table();
  const table = float16Table;
  const values = new Float32Array(bits.length);
  for (let index = 0; index < bits.length; index += 1) values[index] = table[bits[index]!]!;
  return values;
}

/** A bfloat16 is the upper half of a float32. */
function fromBfloat16(bits: Uint16Array): Float32Array {
  const wide = new Uint32Array(bits.length);
  for (let index = 0; index < bits.length; index += 1) wide[index] = bits[index]! << 16;
  return new Float32Array(wide.buffer);
}

/**
 * Little-endian numbers of a float type as float32; exact but for F64, which is rounded. `bytes` starts its buffer.
 * `undefined` for any other type.
 */
export function widenToFloat32(dtype: string, bytes: Uint8Array<ArrayBuffer>): Float32Array | undefined {
  switch (dtype) {
    case 'F32':
      return new Float32Array(bytes.buffer);
    case 'F16':
      return fromFloat16(new Uint16Array(bytes.buffer));
    case 'BF16':
      return fromBfloat16(new Uint16Array(bytes.buffer));
    case 'F64':
      return Float32Array.from(new Float64Array(bytes.buffer));
    default:
      return undefined;
  }
}
