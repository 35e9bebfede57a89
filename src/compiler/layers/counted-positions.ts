import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';

/** ONNX's number of the element type int64. */
const INT64 = 7;

/**
 * Positions as fairseq counts them: the first token has position `padId + 1`, and a token whose id is `padId` (a literal
 * `<pad>` in a text, as nothing is padded here) has position `padId` and is not counted.
 * `ids` `[batch, sequence]` to int64 `[batch, sequence]`.
 * Reference: create_position_ids_from_input_ids in
 * https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/roberta/modeling_roberta.py
 */
export function countedPositions(g: GraphBuilder, ids: Value, padId: number): Value {
  const toInt64 = (x: Value) => g.node('Cast', [x], { attributes: { to: { int: INT64 } } });
  const counts = toInt64(g.node('Not', [g.node('Equal', [toInt64(ids), g.integers([padId])])]));
  const position = g.node('Mul', [g.node('CumSum', [counts, g.integers([1])]), counts]);
  return g.node('Add', [position, g.integers([padId])]);
}
