import { ServiceError } from '../../contracts/errors.ts';
import type { Tensors } from './head.ts';

/** Rows of a matrix whose size no config states. Throws `invalid_checkpoint` where it is missing or no matrix. */
export function rowsOf(tensors: Tensors, name: string): number {
  const dims = tensors.get(name)?.dims;
  const [rows] = dims ?? [];
  if (rows !== undefined && rows > 0 && dims?.length === 2) return rows;
  const actual = dims === undefined ? 'no such tensor' : `shape [${dims.join(', ')}]`;
  throw new ServiceError('invalid_checkpoint', `tensor '${name}': expected a matrix, got ${actual}`);
}
