/** Reads the bits of float32 numbers without a copy. */
function bitsOf(values: Float32Array): Uint32Array {
  return new Uint32Array(values.buffer, values.byteOffset, values.length);
}

/** Bits that are cut off, rounded to the nearest, ties to even: what is added before cutting `count` bits. */
function roundingOf(bits: number, count: number): number {
  return (1 << (count - 1)) - 1 + ((bits >>> count) & 1);
}

/** Below 2^-14 float16 numbers are multiples of 2^-24; a sum with this puts the last such bit at the end of a float32. */
const SUBNORMAL_MAGIC = 0.5;
const SMALLEST_NORMAL = 2 ** -14;
const EXPONENT_SHIFT = (127 - 15) << 23;

const scratch = new Float32Array(1);
const scratchBits = bitsOf(scratch);

/**
 * The nearest float16 of each number, as bits; ties to even. What came from float16 comes back as it was. `undefined` where
 * a number is too large for float16, or not finite.
 */
export function toFloat16(values: Float32Array): Uint16Array | undefined {
  const wide = bitsOf(values);
  const narrow = new Uint16Array(values.length);
  for (let index = 0; index < wide.length; index += 1) {
    const bits = wide[index]!;
    const sign = (bits >>> 16) & 0x8000;
    const magnitude = bits & 0x7fffffff;
    const value = Math.abs(values[index]!);
    if (value >= SMALLEST_NORMAL) {
      const rounded = (magnitude - EXPONENT_SHIFT + roundingOf(magnitude, 13)) >>> 13;
      if (rounded >= 0x7c00) return undefined;
      narrow[index] = sign | rounded;
    } else if (value < SMALLEST_NORMAL) {
      scratch[0] = value + SUBNORMAL_MAGIC;
      narrow[index] = sign | (scratchBits[0]! & 0x7ff);
    } else {
      return undefined;
    }
  }
  return narrow;
}

/** The nearest bfloat16 of each number, as bits; ties to even. `undefined` where a number is not finite in it. */
export function toBfloat16(values: Float32Array): Uint16Array | undefined {
  const wide = bitsOf(values);
  const narrow = new Uint16Array(values.length);
  for (let index = 0; index < wide.length; index += 1) {
    const bits = wide[index]!;
    const rounded = (bits + roundingOf(bits, 16)) >>> 16;
    if ((bits & 0x7f800000) === 0x7f800000 || (rounded & 0x7f80) === 0x7f80) return undefined;
    narrow[index] = rounded;
  }
  return narrow;
}
