import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { computed } from '../weights/computed.ts';
import { cast } from './cast.ts';
import { inverseFrequencies, type RotaryValues } from './rotary.ts';
import { lengthOf } from './sequence-length.ts';

export interface DynamicNtk {
  /** Dimensions of each head that are turned. */
  readonly width: number;
  /** Base of the angles, up to the length that the model was trained for. */
  readonly theta: number;
  readonly trainedPositions: number;
  readonly factor: number;
}

/**
 * Rotary embedding whose base grows with the length of the run, beyond the trained one: times
 * (factor * length / trained - factor + 1) ^ (width / (width - 2)).
 * Source: NomicBertDynamicNTKRotaryEmbedding of
 * https://huggingface.co/nomic-ai/nomic-bert-2048/blob/main/modeling_hf_nomic_bert.py
 */
export function dynamicNtk(g: GraphBuilder, ids: Value, options: DynamicNtk): RotaryValues {
  const { width, theta, trainedPositions, factor } = options;
  const half = width / 2;
  const list = (name: string, values: readonly number[]) =>
    g.constant(computed(`dynamic ntk ${name} ${values.join(',')}`, [values.length], () => Float32Array.from(values)));
  const length = lengthOf(g, ids);
  const relativeLength = g.node('Mul', [cast(g, length, 'FLOAT'), list('slope', [factor / trainedPositions])]);
  const beyond = g.node('Add', [relativeLength, list('offset', [1 - factor])]);
  const growth = g.node('Max', [beyond, list('least', [1])]);
  // The power of the base's growth, taken to that of each frequency: -2i / width * width / (width - 2).
  const powers = Array.from({ length: half }, (_, index) => (-2 * index) / (width - 2));
  const shrinking = g.node('Pow', [growth, list('powers', powers)], { dims: [half] });
  const frequencies = g.node('Mul', [list('frequencies', inverseFrequencies(width, theta)), shrinking]);
  const scalar = (value: Value) => g.node('Squeeze', [value], { dims: [] });
  const range = [scalar(g.integers([0])), scalar(length), scalar(g.integers([1]))];
  const positions = cast(g, g.node('Range', range, { dims: ['sequence'] }), 'FLOAT');
  const column = g.node('Unsqueeze', [positions, g.integers([1])], { dims: ['sequence', 1] });
  const angles = g.node('Mul', [column, frequencies], { dims: ['sequence', half] });
  return { cos: g.node('Cos', [angles]), sin: g.node('Sin', [angles]) };
}
