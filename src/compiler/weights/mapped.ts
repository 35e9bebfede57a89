import type { Weight } from './weight.ts';

function* changed(weight: Weight, change: (value: number) => number): Iterable<Float32Array> {
  for (const chunk of weight.chunks()) yield chunk.map(change);
}

/** A weight of which every number is changed in the same way, piece by piece; `what` names the change. */
export function mapped(weight: Weight, what: string, change: (value: number) => number): Weight {
  return { name: `${weight.name}:${what}`, dims: weight.dims, chunks: () => changed(weight, change) };
}
