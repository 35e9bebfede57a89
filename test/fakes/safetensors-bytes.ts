export interface TensorBytes {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: ArrayBufferView<ArrayBuffer>;
}

/** The bytes of a well-formed safetensors file. */
export function safetensorsBytes(tensors: Readonly<Record<string, TensorBytes>>): Uint8Array {
  let end = 0;
  const entries = Object.entries(tensors).map(([name, { dtype, shape, data }]) => {
    const begin = end;
    end += data.byteLength;
    return [name, { dtype, shape, data_offsets: [begin, end] }] as const;
  });
  const parts = Object.values(tensors).map(({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  return Buffer.concat([withLength(JSON.stringify(Object.fromEntries(entries))), ...parts]);
}

/** A header with the length that comes before it. */
export function withLength(header: string): Uint8Array {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(header)));
  return Buffer.concat([length, Buffer.from(header)]);
}
