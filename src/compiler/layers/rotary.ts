import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { computed } from '../weights/computed.ts';

export interface RotaryTable {
  /** Positions that the table has. */
  readonly positions: number;
  /** Angle per position of each pair of dimensions, `[rotated width / 2]`: scalings of any kind are already in it. */
  readonly inverseFrequencies: readonly number[];
  /** Factor of cosine and sine (YaRN's attention factor); 1 where there is none. */
  readonly magnitude?: number;
}

/** theta^(-2i / width) for i in 0 .. width / 2: rotary embedding without any scaling (RoFormer, 2021). */
export function inverseFrequencies(width: number, theta: number): number[] {
  return Array.from({ length: width / 2 }, (_, index) => theta ** ((-2 * index) / width));
}

function table(kind: 'cos' | 'sin', { positions, inverseFrequencies: angles, magnitude = 1 }: RotaryTable) {
  const half = angles.length;
  const name = `rotary ${kind} ${positions} ${magnitude} ${angles.join(',')}`;
  return computed(name, [positions, half], () =>
    // As the reference does: angles are float32, cosine and sine are of the exact product.
    Float32Array.from({ length: positions * half }, (_, index) => {
      const angle = Math.fround(Math.floor(index / half) * Math.fround(angles[index % half] ?? 0));
      return Math[kind](angle) * magnitude;
    }),
  );
}

/**
 * Turns each head of `x` `[batch, sequence, heads * head width]` by its position, counted from 0; halves are paired as in
 * `rotate_half` (GPT-NeoX). Where the table is narrower than a head, the rest of the head stays as it is.
 */
export function rotary(g: GraphBuilder, x: Value, heads: number, angles: RotaryTable): Value {
  const headWidth = Number(x.dims.at(-1)) / heads;
  const rotatedWidth = angles.inverseFrequencies.length * 2;
  const inputs = [x, g.integers([0]), g.constant(table('cos', angles)), g.constant(table('sin', angles))];
  return g.node('RotaryEmbedding', inputs, {
    domain: 'com.microsoft',
    attributes: {
      num_heads: { int: heads },
      interleaved: { int: 0 },
      ...(rotatedWidth === headWidth ? {} : { rotary_embedding_dim: { int: rotatedWidth } }),
    },
  });
}
