/**
 * References: https://github.com/UKPLab/sentence-transformers/blob/v5.0.0/sentence_transformers/models/StaticEmbedding.py,
 * https://github.com/MinishLab/model2vec/blob/v0.7.0/model2vec/model.py
 */
import { ServiceError } from '../../contracts/errors.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';
import { ConfigFields } from '../config/config-fields.ts';
import type { Tensors } from '../heads/head.ts';
import { rowsByIds } from '../layers/embeddings.ts';
import { rowsScaled } from '../weights/rows-scaled.ts';
import { withRowOfZeros } from '../weights/with-row-of-zeros.ts';
import type { TextModel } from './architecture.ts';

/** Names of the table: sentence-transformers' own, and model2vec's, which may have a weight for each row beside it. */
const MODEL2VEC_TABLE = 'embeddings';
const TABLES = ['embedding.weight', MODEL2VEC_TABLE];
const ROW_WEIGHTS = 'weights';

/** Of several tokens on one row: what a model2vec with a reduced vocabulary has. */
const MAPPING = 'mapping';

const TOKENIZER_FILE = 'tokenizer.json';

/** Sequences are not limited by a table of positions; this bounds a text to what one run can hold. */
const MAX_POSITIONS = 1_000_000;

/** model2vec's default. */
const MODEL2VEC_MAX_TOKENS = 512;

/** A plain folder of model2vec. With a `modules.json` it is sentence-transformers that computes it, by rules of its own. */
export function isModel2vec({ modules, config }: ModelFolder): boolean {
  return modules.length === 0 && config.model_type === 'model2vec';
}

/** A table of vectors with no transformer behind it: a StaticEmbedding module, or a plain folder of model2vec. */
export function isStaticEmbedding(folder: ModelFolder): boolean {
  return folder.modules[0]?.type === 'StaticEmbedding' || isModel2vec(folder);
}

/** `max_length` of model2vec's config: a number, null for no limit, or nothing for the default. */
function model2vecMaxTokens({ config }: ModelFolder): number {
  if (config.max_length === null) return MAX_POSITIONS;
  return new ConfigFields(config, 'config.json').positiveInteger('max_length', MODEL2VEC_MAX_TOKENS);
}

function tokenizerFileOf({ modules }: ModelFolder): string {
  const folder = modules[0]?.path ?? '';
  return folder === '' ? TOKENIZER_FILE : `${folder}/${TOKENIZER_FILE}`;
}

interface Table {
  /** Without prefix. */
  readonly name: string;
  readonly rows: number;
  readonly width: number;
}

const isNamed = (fullName: string, name: string) => fullName === name || fullName.endsWith(`.${name}`);

function tableOf(folder: ModelFolder, tensors: Tensors): Table {
  for (const name of TABLES) {
    const found = [...tensors].find(([fullName]) => isNamed(fullName, name));
    const [rows, width] = found?.[1].dims ?? [];
    if (rows !== undefined && width !== undefined) return { name, rows, width };
  }
  throw new ServiceError(
    'invalid_checkpoint',
    `model '${folder.id}': a static embedding has one table of vectors, '${TABLES.join("' or '")}', got no such matrix`,
  );
}

/**
 * A vector for each token, `[batch, sequence, dim]`; all sizes are those of the table, which gets a row of zeros for texts
 * without tokens. Throws `invalid_checkpoint` or `unsupported_architecture`.
 */
export function staticEmbedding(folder: ModelFolder, tensors: Tensors): TextModel {
  const { name, rows, width } = tableOf(folder, tensors);
  if (name === MODEL2VEC_TABLE && [...tensors.keys()].some((fullName) => isNamed(fullName, MAPPING))) {
    throw new ServiceError(
      'unsupported_architecture',
      `model '${folder.id}': its tensor '${MAPPING}' shares rows among tokens, expected a row for each token`,
    );
  }
  const maxTokens = isModel2vec(folder) ? { model2vecMaxTokens: model2vecMaxTokens(folder) } : {};
  return {
    hiddenSize: width,
    vocabularySize: rows + 1,
    maxPositions: MAX_POSITIONS,
    tokenTypes: 1,
    anchor: name,
    hidden(g, w, { ids }) {
      const table = w.read(name, [rows, width]);
      const scaled =
        name === MODEL2VEC_TABLE && w.has(ROW_WEIGHTS) ? rowsScaled(table, w.read(ROW_WEIGHTS, [rows])) : table;
      return rowsByIds(g, withRowOfZeros(scaled), ids);
    },
    classifier: undefined,
    staticTokens: { tokenizerFile: tokenizerFileOf(folder), emptyTextId: rows, ...maxTokens },
  };
}
