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

/**
 * theta^(-2i / width) for i in 0 .. width / 2: rotary embedding without any scaling (RoFormer, 2021). Every step is rounded
 * to float32, as in the reference: thousands of positions on, the last bit of a frequency shows in the result.
 */
export function inverseFrequencies(width: number, theta: number): number[] {
  return Array.from({ length: width / 2 }, (_, index) =>
    Math.fround(1 / Math.fround(theta ** Math.fround((2 * index) / width))),
  );
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

/** Cosine and sine of each position's angles, float32 `[positions, rotated width / 2]`. */
export interface RotaryValues {
  readonly cos: Value;
  readonly sin: Value;
}

export function rotaryValues(g: GraphBuilder, angles: RotaryTable): RotaryValues {
  return { cos: g.constant(table('cos', angles)), sin: g.constant(table('sin', angles)) };
}

/**
 * Turns each head of `x` `[batch, sequence, heads * head width]` by its position, counted from 0; halves are paired as in
 * `rotate_half` (GPT-NeoX). Where the table is narrower than a head, the rest of the head stays as it is.
 */
export function rotary(g: GraphBuilder, x: Value, heads: number, angles: RotaryTable | RotaryValues): Value {
  const headWidth = Number(x.dims.at(-1)) / heads;
  const { cos, sin } = 'cos' in angles ? angles : rotaryValues(g, angles);
  const rotatedWidth = Number(cos.dims.at(-1)) * 2;
  return g.node('RotaryEmbedding', [x, g.integers([0]), cos, sin], {
    domain: 'com.microsoft',
    attributes: {
      num_heads: { int: heads },
      interleaved: { int: 0 },
      ...(rotatedWidth === headWidth ? {} : { rotary_embedding_dim: { int: rotatedWidth } }),
    },
  });
}
