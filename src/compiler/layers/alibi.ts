import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { computed } from '../weights/computed.ts';
import { cast } from './cast.ts';
import { relativePositions } from './relative-positions.ts';

function slopesOfPowerOfTwo(heads: number): number[] {
  const ratio = 2 ** (-8 / heads);
  return Array.from({ length: heads }, (_, head) => ratio ** (head + 1));
}

/**
 * How steeply each head forgets distance: 2^(-8 i / heads) for a power of two. For other counts, those of the next
 * smaller power of two and then every second one of the next larger.
 * Source: https://arxiv.org/abs/2108.12409, as https://github.com/ofirpress/attention_with_linear_biases computes them.
 */
export function alibiSlopes(heads: number): number[] {
  const smaller = 2 ** Math.floor(Math.log2(heads));
  const between = slopesOfPowerOfTwo(2 * smaller).filter((_, index) => index % 2 === 0);
  return [...slopesOfPowerOfTwo(smaller), ...between.slice(0, heads - smaller)];
}

/** Symmetric ALiBi: -slope * distance for each head, to be added to the scores: `[1, heads, sequence, sequence]`. */
export function alibi(g: GraphBuilder, ids: Value, heads: number): Value {
  const relative = cast(g, relativePositions(g, ids), 'FLOAT');
  const slopes = computed(`alibi slopes ${heads}`, [1, heads, 1, 1], () =>
    Float32Array.from(alibiSlopes(heads), (slope) => -slope),
  );
  return g.node('Mul', [g.node('Abs', [relative]), g.constant(slopes)], { dims: [1, heads, 'sequence', 'sequence'] });
}
