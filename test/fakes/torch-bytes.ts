/** One entry of a zip archive that stores it as it is. */
export interface StoredEntry {
  readonly name: string;
  readonly content: Uint8Array;
  /** 0 is stored; 8 would be deflated. */
  readonly method?: number;
}

/** The bytes of a zip archive. The sums that it should have are left at 0: no reader here looks at them. */
export function zipBytes(entries: readonly StoredEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let position = 0;
  for (const { name, content, method = 0 } of entries) {
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(content.byteLength, 18);
    local.writeUInt32LE(content.byteLength, 22);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(content.byteLength, 20);
    central.writeUInt32LE(content.byteLength, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(position, 42);
    parts.push(local, Buffer.from(name), Buffer.from(content));
    directory.push(central, Buffer.from(name));
    position += local.length + name.length + content.byteLength;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(position, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

/** Instructions of a pickle, as the tests need them. */
export const PICKLE = {
  global: (module: string, name: string) => Buffer.from(`c${module}\n${name}\n`),
  text: (value: string) => Buffer.concat([Buffer.from([0x58, value.length, 0, 0, 0]), Buffer.from(value)]),
  small: (value: number) => Buffer.from([0x4b, value]),
  large: (value: number) => Buffer.concat([Buffer.from([0x8a, 8]), longBytes(value)]),
  mark: Buffer.from('('),
  tuple: Buffer.from('t'),
  reduce: Buffer.from('R'),
  persistentId: Buffer.from('Q'),
  emptyTuple: Buffer.from(')'),
  emptyDict: Buffer.from('}'),
  setItem: Buffer.from('s'),
};

function longBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return bytes;
}

export interface FakeTensor {
  readonly storage: string;
  readonly key: string;
  readonly elements: number;
  readonly offset?: number;
  readonly dims: readonly number[];
  readonly strides: readonly number[];
}

function numbers(values: readonly number[]): Buffer {
  return Buffer.concat([PICKLE.mark, ...values.map(PICKLE.large), PICKLE.tuple]);
}

/** The instructions that make a tensor, as torch.save writes them. */
export function tensorPickle({ storage, key, elements, offset = 0, dims, strides }: FakeTensor): Buffer {
  const { global, text, large, mark, tuple, reduce, persistentId, emptyTuple } = PICKLE;
  const id = [mark, text('storage'), global('torch', storage), text(key), text('cpu'), large(elements), tuple];
  const args = [mark, ...id, persistentId, large(offset), numbers(dims), numbers(strides), Buffer.from([0x89])];
  const hooks = [global('collections', 'OrderedDict'), emptyTuple, reduce];
  return Buffer.concat([global('torch._utils', '_rebuild_tensor_v2'), ...args, ...hooks, tuple, reduce]);
}

/** A pickle of protocol 2 around instructions. */
export function pickleBytes(...instructions: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from([0x80, 2]), ...instructions, Buffer.from('.')]);
}

/** A state dict of these tensors. */
export function stateDict(tensors: Readonly<Record<string, FakeTensor>>): Buffer {
  const items = Object.entries(tensors).flatMap(([name, tensor]) => [
    PICKLE.text(name),
    tensorPickle(tensor),
    PICKLE.setItem,
  ]);
  return pickleBytes(PICKLE.emptyDict, ...items);
}
