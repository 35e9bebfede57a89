import type { PickleDict, PickleValue, TorchStorage, TorchTensor } from './pickle-value.ts';

/** Classes that name the type of a storage, with its safetensors spelling. */
const STORAGE_DTYPES: ReadonlyMap<string, string> = new Map([
  ['torch.FloatStorage', 'F32'],
  ['torch.HalfStorage', 'F16'],
  ['torch.BFloat16Storage', 'BF16'],
  ['torch.DoubleStorage', 'F64'],
  ['torch.LongStorage', 'I64'],
  ['torch.IntStorage', 'I32'],
  ['torch.ShortStorage', 'I16'],
  ['torch.CharStorage', 'I8'],
  ['torch.ByteStorage', 'U8'],
  ['torch.BoolStorage', 'BOOL'],
]);

/** Makes plain data of plain data; `undefined` where the arguments are of another form. */
type KnownFunction = (args: readonly PickleValue[]) => PickleValue | undefined;

/** What may be called. None does more work than its own instruction takes bytes. */
const FUNCTIONS: ReadonlyMap<string, KnownFunction> = new Map<string, KnownFunction>([
  ['collections.OrderedDict', emptyDict],
  ['torch._utils._rebuild_parameter', ([tensor]) => (isTensor(tensor) ? tensor : undefined)],
  ['torch._utils._rebuild_tensor', tensorView],
  ['torch._utils._rebuild_tensor_v2', tensorView],
]);

export const KNOWN_NAMES: ReadonlySet<string> = new Set([...STORAGE_DTYPES.keys(), ...FUNCTIONS.keys()]);

/** Guards products of sizes against nonsense; real checkpoints have at most 5 dimensions. */
const RANK_LIMIT = 16;

/** The result of a known function; `undefined` where it is not one, or its arguments are not what it takes. */
export function callKnown(name: string, args: readonly PickleValue[]): PickleValue | undefined {
  return FUNCTIONS.get(name)?.(args);
}

/** A persistent id, as torch.save writes them: `('storage', class, key, device, elements)`. */
export function storageOf(id: PickleValue): TorchStorage | undefined {
  const [tag, type, key, , elements] = listItems(id) ?? [];
  if (tag !== 'storage' || typeof key !== 'string' || !isSize(elements)) return undefined;
  const name = typeof type === 'object' && type?.kind === 'name' ? type.name : '';
  const dtype = STORAGE_DTYPES.get(name);
  return dtype === undefined ? undefined : { kind: 'storage', dtype, key, elements };
}

/** Its items are set afterwards; a list of them as an argument, which Python 2 wrote, is not known to this format. */
function emptyDict(args: readonly PickleValue[]): PickleDict | undefined {
  return args.length === 0 ? { kind: 'dict', entries: new Map() } : undefined;
}

function tensorView(args: readonly PickleValue[]): TorchTensor | undefined {
  const [storage, offset, size, stride] = args;
  const dims = sizes(size);
  const strides = sizes(stride);
  if (!isStorage(storage) || !isSize(offset) || dims === undefined || strides?.length !== dims.length) return undefined;
  return { kind: 'tensor', storage, offset, dims, strides };
}

function sizes(value: PickleValue | undefined): readonly number[] | undefined {
  const items = listItems(value);
  return items !== undefined && items.length <= RANK_LIMIT && items.every(isSize) ? items : undefined;
}

function listItems(value: PickleValue | undefined): readonly PickleValue[] | undefined {
  return typeof value === 'object' && value?.kind === 'list' ? value.items : undefined;
}

function isSize(value: PickleValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isStorage(value: PickleValue | undefined): value is TorchStorage {
  return typeof value === 'object' && value?.kind === 'storage';
}

function isTensor(value: PickleValue | undefined): value is TorchTensor {
  return typeof value === 'object' && value?.kind === 'tensor';
}
