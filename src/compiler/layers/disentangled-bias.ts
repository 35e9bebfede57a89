/**
 * DeBERTa's attention by relative position: how a query's content fits the position of a key ("c2p"), and a key's content
 * that of a query ("p2c").
 * Reference: DisentangledSelfAttention in
 * https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/deberta_v2/modeling_deberta_v2.py
 */
import type { Value } from '../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../graph/graph-builder.ts';
import { computed } from '../weights/computed.ts';
import { cast } from './cast.ts';
import { type RelativeLogBuckets, relativeRow, relativeRowCount } from './relative-log-buckets.ts';
import { relativePositions } from './relative-positions.ts';

/** Where each pair of tokens finds its score among those of a token and all rows of the table: int64 `[queries, keys]`. */
export interface PairIndices {
  /** `query * rows + row` */
  readonly byQuery: Value;
  /** `key * rows + row` */
  readonly byKey: Value;
}

/**
 * The indices for the length of the run. The graph holds one number for each distance up to `maxPositions`. `oneQuery`
 * keeps a single row: the queries of a layer that computes one token only.
 */
export function pairIndices(
  g: GraphBuilder,
  ids: Value,
  maxPositions: number,
  buckets: RelativeLogBuckets,
  oneQuery?: 'first' | 'last',
): PairIndices {
  const farthest = maxPositions - 1;
  const { buckets: count, maxRelative } = buckets;
  const table = computed(`relative rows ${maxPositions} ${count} ${maxRelative}`, [2 * farthest + 1], () =>
    Float32Array.from({ length: 2 * farthest + 1 }, (_, index) => relativeRow(farthest - index, buckets)),
  );
  const relative = relativePositions(g, ids);
  const whole = cast(g, g.constant(table), 'INT64');
  const index = g.node('Add', [relative, g.integers([farthest])]);
  const rows = g.node('Gather', [whole, index], { dims: relative.dims });
  const rowCount = g.integers([relativeRowCount(buckets)]);
  const ofFirst = (axis: number, dims: readonly (string | number)[]) =>
    g.node('Gather', [relative, g.integers([0])], { dims, attributes: { axis: { int: axis } } });
  const keyStart = g.node('Mul', [ofFirst(0, [1, 'sequence']), rowCount]);
  const byKey = g.node('Add', [rows, keyStart]);
  if (oneQuery !== undefined) {
    const query = g.integers([oneQuery === 'first' ? 0 : -1]);
    const ofQuery = (pairs: Value) => g.node('Gather', [pairs, query], { dims: [1, 'sequence'] });
    return { byQuery: ofQuery(rows), byKey: ofQuery(byKey) };
  }
  // The first key is as far before each query as the query's own position.
  const queryStart = g.node('Mul', [ofFirst(1, ['sequence', 1]), rowCount]);
  return { byQuery: g.node('Sub', [rows, queryStart]), byKey };
}

export interface PositionScores {
  /** `[batch, tokens, width]`: queries for "c2p", keys for "p2c". */
  readonly content: Value;
  /** The table of relative positions, projected: `[rows, width]`. */
  readonly positions: Value;
  /** Of the pairs, into the scores of one head: int64 `[queries, keys]`. */
  readonly indices: Value;
}

/** One of the two terms, scaled: `[batch, heads, queries, keys]`. */
export function positionScores(
  g: GraphBuilder,
  { content, positions, indices }: PositionScores,
  heads: number,
  scale: number,
): Value {
  const headWidth = widthOf(content) / heads;
  const [tokens = 'sequence', rows = 1] = [content.dims[1], positions.dims[0]];
  const perHead = g.integers([0, 0, heads, headWidth]);
  const split = g.node('Reshape', [content, perHead], { dims: ['batch', tokens, heads, headWidth] });
  const turned = g.node('Transpose', [split], {
    attributes: { perm: { ints: [0, 2, 1, 3] } },
    dims: ['batch', heads, tokens, headWidth],
  });
  const factor = g.constant(computed(`factor ${scale}`, [1], () => Float32Array.of(scale)));
  const scaled = g.node('Mul', [positions, factor]);
  const splitRows = g.node('Reshape', [scaled, g.integers([0, heads, headWidth])], { dims: [rows, heads, headWidth] });
  const turnedRows = g.node('Transpose', [splitRows], {
    attributes: { perm: { ints: [1, 2, 0] } },
    dims: [heads, headWidth, rows],
  });
  const scores = g.node('MatMul', [turned, turnedRows], { dims: ['batch', heads, tokens, rows] });
  const flat = g.node('Reshape', [scores, g.integers([0, 0, -1])], { dims: ['batch', heads, 'scores'] });
  return g.node('Gather', [flat, indices], {
    attributes: { axis: { int: 2 } },
    dims: ['batch', heads, ...indices.dims],
  });
}
