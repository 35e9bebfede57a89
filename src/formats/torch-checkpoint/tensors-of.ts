import type { PickleValue, TorchTensor } from './pickle-value.ts';

function isContiguous({ dims, strides }: TorchTensor): boolean {
  let expected = 1;
  for (let axis = dims.length - 1; axis >= 0; axis -= 1) {
    const size = dims[axis] ?? 1;
    if (size !== 1 && strides[axis] !== expected) return false;
    expected *= size;
  }
  return true;
}

/** What is wrong with a tensor, in words; `undefined` where nothing is. */
function objection(tensor: TorchTensor): string | undefined {
  const { dims, strides, offset, storage } = tensor;
  const elements = dims.reduce((product, size) => product * size, 1);
  if (elements > 0 && !isContiguous(tensor)) {
    return `is not contiguous: shape [${dims.join(', ')}] with strides [${strides.join(', ')}]`;
  }
  // The comparison is the other way round so that a number too large to count fails it as well.
  if (!(offset + elements <= storage.elements)) {
    return `takes ${elements} numbers from ${offset}, its storage '${storage.key.slice(0, 100)}' has ${storage.elements}`;
  }
  return undefined;
}

/**
 * The tensors of a state dict, by name; entries that are no tensors are left out. Calls `refuse` where the value is no dict
 * of names, or a tensor is not stored in one piece.
 */
export function tensorsOf(value: PickleValue, refuse: (what: string) => never): ReadonlyMap<string, TorchTensor> {
  if (typeof value !== 'object' || value?.kind !== 'dict') return refuse('is not a dict of tensors');
  const tensors = new Map<string, TorchTensor>();
  for (const [name, entry] of value.entries) {
    if (typeof name !== 'string' || typeof entry !== 'object' || entry?.kind !== 'tensor') continue;
    const problem = objection(entry);
    if (problem !== undefined) return refuse(`: tensor '${name.slice(0, 200)}' ${problem}`);
    tensors.set(name, entry);
  }
  return tensors.size > 0 ? tensors : refuse('holds no tensors');
}
