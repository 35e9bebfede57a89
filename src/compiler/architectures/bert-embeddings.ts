import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { rowsByIds, rowsByPosition } from '../layers/embeddings.ts';
import { layerNorm } from '../layers/layer-norm.ts';
import type { Weight } from '../weights/weight.ts';
import type { WeightScope } from '../weights/weight-scope.ts';
import { withRowAdded } from '../weights/with-row-added.ts';
import type { TextInputs } from './architecture.ts';
import type { BertLikeConfig } from './bert-like-config.ts';

export interface BertEmbeddingsOptions {
  readonly config: BertLikeConfig;
  readonly width: number;
  /** Rows of the position table, int `[batch, sequence]`; 0, 1, 2, … where none are given. */
  readonly positionIds?: Value;
  /** A table whose first row is added to every token: of types that texts cannot choose. */
  readonly fixedType?: Weight;
}

/** BertEmbeddings: words, types and positions, and a norm over their sum. Returns `[batch, sequence, width]`. */
export function bertEmbeddings(
  g: GraphBuilder,
  w: WeightScope,
  inputs: TextInputs,
  { config, width, positionIds, fixedType }: BertEmbeddingsOptions,
): Value {
  const words = w.read('word_embeddings.weight', [config.vocab_size, width]);
  const table = w.read('position_embeddings.weight', [config.max_position_embeddings, width]);
  const positions = fixedType === undefined ? table : withRowAdded(table, fixedType);
  const types = w.read('token_type_embeddings.weight', [config.type_vocab_size, width]);
  w.ignore('position_ids');
  w.ignore('token_type_ids');
  const rowsByPlace = (places: Weight) =>
    positionIds === undefined ? rowsByPosition(g, places, inputs.ids) : rowsByIds(g, places, positionIds);
  const word = rowsByIds(g, words, inputs.ids);
  if (inputs.typeIds === undefined) {
    const place = rowsByPlace(withRowAdded(positions, types));
    return layerNorm(g, w.at('LayerNorm'), g.node('Add', [word, place]), config.layer_norm_eps);
  }
  const typed = g.node('Add', [word, rowsByIds(g, types, inputs.typeIds)]);
  const placed = g.node('Add', [typed, rowsByPlace(positions)]);
  return layerNorm(g, w.at('LayerNorm'), placed, config.layer_norm_eps);
}
