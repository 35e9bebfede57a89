import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { readWhole } from '../weights/read-whole.ts';
import type { Weight } from '../weights/weight.ts';
import { relativePositions } from './relative-positions.ts';

export interface RelativeBuckets {
  /** Rows of the table that are used: half of them for keys before the query, half for keys behind it. */
  readonly buckets: number;
  /** Tokens this far apart, or farther, share the last bucket of their side. */
  readonly maxDistance: number;
}

/**
 * The bucket of a position relative to the query, looking both ways: half of the buckets for each side, of those the
 * first half one position each, the rest in steps of equal ratio up to `maxDistance`. float32, as in the reference, since
 * a rounded logarithm decides on which side of a step a distance falls.
 * Source: T5Attention._relative_position_bucket in
 * https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/t5/modeling_t5.py
 */
export function relativeBucket(relative: number, { buckets, maxDistance }: RelativeBuckets): number {
  const perSide = Math.floor(buckets / 2);
  const exact = Math.floor(perSide / 2);
  const distance = Math.abs(relative);
  const side = relative > 0 ? perSide : 0;
  if (distance < exact) return side + distance;
  const logarithm = Math.fround(Math.log(Math.fround(distance / exact)));
  const fraction = Math.fround(logarithm / Math.fround(Math.log(maxDistance / exact)));
  const step = Math.trunc(Math.fround(fraction * (perSide - exact)));
  return side + Math.min(exact + step, perSide - 1);
}

/** One row for each relative position from -reach to reach, turned so that heads come first: `[heads, 2 * reach + 1]`. */
function biasByRelativePosition(table: Weight, reach: number, options: RelativeBuckets): Weight {
  const [, heads = 0] = table.dims;
  const width = 2 * reach + 1;
  const gathered = () => {
    const values = readWhole(table);
    const result = new Float32Array(heads * width);
    for (let index = 0; index < width; index += 1) {
      const bucket = relativeBucket(index - reach, options);
      for (let head = 0; head < heads; head += 1) {
        result[head * width + index] = values[bucket * heads + head] ?? 0;
      }
    }
    return result;
  };
  return {
    name: `${table.name}:by relative position, ${options.buckets} ${options.maxDistance}`,
    dims: [heads, width],
    chunks: () => [gathered()],
  };
}

/**
 * Learned bias of relative positions, `[1, heads, sequence, sequence]`, from a table `[buckets or more, heads]`. The graph
 * holds one number for each relative position up to `maxDistance` and looks up those of the run's length.
 */
export function relativeBias(g: GraphBuilder, table: Weight, ids: Value, options: RelativeBuckets): Value {
  const [, heads = 0] = table.dims;
  const reach = options.maxDistance;
  const limit = (value: number) => g.node('Squeeze', [g.integers([value])], { dims: [] });
  const near = g.node('Clip', [relativePositions(g, ids), limit(-reach), limit(reach)]);
  const index = g.node('Add', [near, g.integers([reach])]);
  const rows = g.node('Gather', [g.constant(biasByRelativePosition(table, reach, options)), index], {
    attributes: { axis: { int: 1 } },
    dims: [heads, 'sequence', 'sequence'],
  });
  return g.node('Unsqueeze', [rows, g.integers([0])], { dims: [1, heads, 'sequence', 'sequence'] });
}
