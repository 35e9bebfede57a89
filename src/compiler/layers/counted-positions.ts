import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { cast } from './cast.ts';

/**
 * Positions as fairseq counts them: the first token has position `padId + 1`, and a token whose id is `padId` (a literal
 * `<pad>` in a text, as nothing is padded here) has position `padId` and is not counted.
 * `ids` `[batch, sequence]` to int64 `[batch, sequence]`.
 * Reference: create_position_ids_from_input_ids in
 * https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/roberta/modeling_roberta.py
 */
export function countedPositions(g: GraphBuilder, ids: Value, padId: number): Value {
  const isPad = g.node('Equal', [cast(g, ids, 'INT64'), g.integers([padId])]);
  const counts = cast(g, g.node('Not', [isPad]), 'INT64');
  const position = g.node('Mul', [g.node('CumSum', [counts, g.integers([1])]), counts]);
  return g.node('Add', [position, g.integers([padId])]);
}
