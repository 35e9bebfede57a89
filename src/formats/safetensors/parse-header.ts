import { ServiceError } from '../../contracts/errors.ts';
import { DTYPE_BYTES } from './dtypes.ts';
import { LENGTH_FIELD_BYTES } from './read-header.ts';

export interface TensorEntry {
  readonly dtype: string;
  readonly dims: readonly number[];
  /** From the start of the file. */
  readonly byteOffset: number;
  readonly byteLength: number;
}

/** Guards the product of the dimensions against nonsense; real checkpoints have at most 5. */
const RANK_LIMIT = 16;

function invalid(message: string, cause?: unknown): ServiceError {
  return new ServiceError('invalid_checkpoint', message, { cause });
}

function parseJson(fileName: string, json: Uint8Array): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json));
  } catch (cause) {
    throw invalid(`${fileName}: the safetensors header is not JSON`, cause);
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw invalid(`${fileName}: the safetensors header must be a JSON object`);
  }
  return parsed as Readonly<Record<string, unknown>>;
}

function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Offsets in the header count from its end, at byte `dataStart` of the file. */
function parseEntry(label: string, value: unknown, dataStart: number, dataBytes: number): TensorEntry {
  if (typeof value !== 'object' || value === null) throw invalid(`${label} must be described by a JSON object`);
  const { dtype, shape, data_offsets: offsets } = value as Readonly<Record<string, unknown>>;
  const elementBytes = typeof dtype === 'string' ? DTYPE_BYTES.get(dtype) : undefined;
  if (typeof dtype !== 'string' || elementBytes === undefined) {
    const known = [...DTYPE_BYTES.keys()].join(', ');
    throw invalid(`${label} has dtype ${JSON.stringify(dtype)}, expected one of ${known}`);
  }
  if (!Array.isArray(shape) || shape.length > RANK_LIMIT || !shape.every(isSize)) {
    throw invalid(`${label} has shape ${JSON.stringify(shape)}, expected a list of at most ${RANK_LIMIT} sizes`);
  }
  const [begin, end]: readonly unknown[] = Array.isArray(offsets) && offsets.length === 2 ? offsets : [];
  if (!isSize(begin) || !isSize(end) || begin > end) {
    throw invalid(`${label} has data_offsets ${JSON.stringify(offsets)}, expected [begin, end] with begin <= end`);
  }
  const expectedBytes = shape.reduce((product, size) => product * size, elementBytes);
  if (end - begin !== expectedBytes) {
    throw invalid(`${label} takes ${end - begin} bytes, expected ${expectedBytes} for ${dtype} [${shape.join(', ')}]`);
  }
  if (end > dataBytes) {
    throw invalid(
      `${label} should end at byte ${dataStart + end}, the file has ${dataStart + dataBytes}: it is truncated`,
    );
  }
  return { dtype, dims: shape, byteOffset: dataStart + begin, byteLength: end - begin };
}

/** The format allows neither holes nor shared bytes: a range that is used twice, or not at all, is a corrupt header. */
function checkCoverage(
  fileName: string,
  tensors: ReadonlyMap<string, TensorEntry>,
  dataStart: number,
  fileBytes: number,
) {
  const byPosition = [...tensors].sort(([, a], [, b]) => a.byteOffset - b.byteOffset || a.byteLength - b.byteLength);
  let position = dataStart;
  for (const [name, entry] of byPosition) {
    if (entry.byteOffset !== position) {
      const kind = entry.byteOffset < position ? 'overlaps the tensor before it' : 'leaves a gap before it';
      throw invalid(
        `${fileName}: tensor '${name}' ${kind}: expected to begin at byte ${position}, got ${entry.byteOffset}`,
      );
    }
    position += entry.byteLength;
  }
  if (position !== fileBytes) {
    throw invalid(`${fileName}: its tensors end at byte ${position}, expected the end of the file at ${fileBytes}`);
  }
}

/**
 * Reads the JSON of a safetensors header into tensor positions, each checked against the real size of the file.
 * Throws `invalid_checkpoint` with the file, the tensor, the expected and the actual.
 */
export function parseHeader(fileName: string, json: Uint8Array, fileBytes: number): ReadonlyMap<string, TensorEntry> {
  const dataStart = LENGTH_FIELD_BYTES + json.length;
  const tensors = new Map<string, TensorEntry>();
  for (const [name, value] of Object.entries(parseJson(fileName, json))) {
    if (name === '__metadata__') continue;
    tensors.set(name, parseEntry(`${fileName}: tensor '${name}'`, value, dataStart, fileBytes - dataStart));
  }
  checkCoverage(fileName, tensors, dataStart, fileBytes);
  return tensors;
}
