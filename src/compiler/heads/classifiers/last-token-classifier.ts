import type { Classifier } from '../../architectures/architecture.ts';
import type { Value } from '../../graph/graph.ts';
import { type GraphBuilder, widthOf } from '../../graph/graph-builder.ts';
import { cast } from '../../layers/cast.ts';
import { linear } from '../../layers/linear.ts';
import { lasttoken } from '../pooling/lasttoken.ts';

/** The last token of each sequence whose id is not `padTokenId`, or the first token where all are: `[batch, dim]`. */
function lastNotPadding(g: GraphBuilder, hidden: Value, padTokenId: number): Value {
  const ids = cast(g, g.inputNamed('input_ids'), 'INT64');
  const isText = cast(g, g.node('Not', [g.node('Equal', [ids, g.integers([padTokenId])])]), 'FLOAT');
  const last = g.node('ArgMax', [isText], {
    dims: ['batch', 1],
    attributes: { axis: { int: 1 }, keepdims: { int: 1 }, select_last_index: { int: 1 } },
  });
  const hasText = g.node('ReduceMax', [isText], { dims: ['batch', 1], attributes: { axes: { ints: [1] } } });
  return g.node('GatherND', [hidden, g.node('Mul', [last, cast(g, hasText, 'INT64')])], {
    dims: ['batch', widthOf(hidden)],
    attributes: { batch_dims: { int: 1 } },
  });
}

/**
 * A linear layer, `score`, on the last token. Where the config names a `pad_token_id` the reference takes the last token
 * with another id, also where the text itself ends with that token; otherwise the last one.
 * Reference: GenericForSequenceClassification in
 * https://github.com/huggingface/transformers/blob/v5.0.0/src/transformers/modeling_layers.py
 */
export function lastTokenClassifier(padTokenId: number | undefined): Classifier {
  return {
    anchor: 'score.weight',
    wantedTokens: padTokenId === undefined ? 'last' : 'all',
    logits(g, root, _body, hidden, labels) {
      const last = padTokenId === undefined ? lasttoken.pool(g, hidden) : lastNotPadding(g, hidden, padTokenId);
      return linear(g, root.at('score'), last, labels, { bias: false });
    },
  };
}
