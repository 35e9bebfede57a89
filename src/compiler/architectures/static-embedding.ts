/**
 * References: https://github.com/UKPLab/sentence-transformers/blob/v3.4.1/sentence_transformers/models/StaticEmbedding.py,
 * https://github.com/MinishLab/model2vec/blob/v0.4.0/model2vec/model.py
 */
import type { ModelFolder } from '../../contracts/model-folder.ts';
import type { Tensors } from '../heads/head.ts';
import { rowsByIds } from '../layers/embeddings.ts';
import type { TextModel } from './architecture.ts';

/** Names of the table: sentence-transformers' own, and model2vec's. */
const TABLES = ['embedding.weight', 'embeddings'];

/** Sequences are not limited by a table of positions; this bounds a text to what one run can hold. */
const MAX_POSITIONS = 1_000_000;

/** A table of vectors with no transformer behind it: a StaticEmbedding module, or a plain folder of model2vec. */
export function isStaticEmbedding({ modules, config }: ModelFolder): boolean {
  return modules.length > 0 ? modules[0]?.type === 'StaticEmbedding' : config.model_type === 'model2vec';
}

/** A vector for each token, `[batch, sequence, dim]`; all sizes are those of the table. */
export function staticEmbedding(tensors: Tensors): TextModel {
  const isTable = (name: string, table: string) => name === table || name.endsWith(`.${table}`);
  const names = [...tensors.keys()];
  const anchor = TABLES.find((table) => names.some((name) => isTable(name, table))) ?? 'embedding.weight';
  const [vocabularySize = 1, hiddenSize = 1] =
    tensors.get(names.find((name) => isTable(name, anchor)) ?? anchor)?.dims ?? [];
  return {
    hiddenSize,
    vocabularySize,
    maxPositions: MAX_POSITIONS,
    tokenTypes: 1,
    anchor,
    hidden: (g, w, { ids }) => rowsByIds(g, w.read(anchor, [vocabularySize, hiddenSize]), ids),
    classifier: undefined,
  };
}
