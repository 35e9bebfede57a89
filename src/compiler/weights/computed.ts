import type { Weight } from './weight.ts';

/** A table that is computed rather than read: `name` must say all that its numbers depend on. */
export function computed(name: string, dims: readonly number[], compute: () => Float32Array): Weight {
  return { name: `computed:${name}`, dims, isComputed: true, chunks: () => [compute()] };
}
