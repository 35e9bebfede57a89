import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { computed } from '../weights/computed.ts';
import { relativePositions } from './relative-positions.ts';

/** Removes a pair of tokens from the softmax, and stays finite when scores are added to it. */
const HIDDEN = -1e30;

const scalar = (name: string, value: number) => computed(name, [], () => Float32Array.of(value));

/**
 * Local attention in both directions: 0 where two tokens are at most `reach` apart, otherwise a number that hides them
 * from each other. `[1, 1, sequence, sequence]`, to be added to the scores.
 */
export function windowBias(g: GraphBuilder, ids: Value, reach: number): Value {
  const distance = g.node('Abs', [relativePositions(g, ids)]);
  const limit = g.node('Squeeze', [g.integers([reach])], { dims: [] });
  const tooFar = g.node('Greater', [distance, limit]);
  const bias = g.node('Where', [tooFar, g.constant(scalar('hidden', HIDDEN)), g.constant(scalar('visible', 0))]);
  return g.node('Unsqueeze', [bias, g.integers([0, 1])], { dims: [1, 1, 'sequence', 'sequence'] });
}
