import { ServiceError } from '../../contracts/errors.ts';
import type { JsonObject } from '../../contracts/json.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';
import type { VocabularyHead } from '../architectures/architecture.ts';
import { ConfigFields } from '../config/config-fields.ts';
import type { Value } from '../graph/graph.ts';
import type { GraphBuilder } from '../graph/graph-builder.ts';
import { computed } from '../weights/computed.ts';
import { rowsOf } from '../weights/rows-of.ts';
import { transposed } from '../weights/transposed.ts';
import { itemOutput } from './graph-output.ts';
import type { ConfigureHead } from './head.ts';
import { sumOverTokens } from './pooling/sum-over-tokens.ts';

/**
 * Entries of the vocabulary that are computed at once. All of them at once would take a number for each entry and token:
 * 2 GB for 32 texts of 512 tokens and 30,522 entries.
 */
const ENTRIES_AT_ONCE = 4096;

interface SpladeOptions {
  readonly strategy: string;
  /** How often log(1 + x) is taken. */
  readonly logarithms: number;
}

const LOGARITHMS: ReadonlyMap<string, number> = new Map([
  ['relu', 1],
  ['log1p_relu', 2],
]);

/** `SpladePooling`'s config.json; without one its defaults, which are what all SPLADE models do. */
function readOptions(folder: ModelFolder): SpladeOptions {
  const module = folder.modules.find(({ type }) => type === 'SpladePooling');
  const config: JsonObject = module?.config ?? {};
  const fileName = `${module?.path}/config.json`;
  const fields = new ConfigFields(config, fileName);
  const strategy = fields.text('pooling_strategy', 'max');
  const name = fields.text('activation_function', 'relu');
  const logarithms = LOGARITHMS.get(name);
  if (strategy !== 'max' && strategy !== 'sum') {
    throw new ServiceError(
      'unsupported_architecture',
      `${fileName}: pooling_strategy is '${strategy}', expected 'max' or 'sum'`,
    );
  }
  if (logarithms === undefined) {
    const expected = [...LOGARITHMS.keys()].map((each) => `'${each}'`).join(' or ');
    throw new ServiceError(
      'unsupported_architecture',
      `${fileName}: activation_function is '${name}', expected ${expected}`,
    );
  }
  return { strategy, logarithms };
}

/** log(1 + relu(x)), as often as it is asked for. */
function saturated(g: GraphBuilder, x: Value, logarithms: number): Value {
  const one = g.constant(computed('one', [1], () => Float32Array.of(1)));
  let weights = g.node('Relu', [x]);
  for (let count = 0; count < logarithms; count += 1) weights = g.node('Log', [g.node('Add', [weights, one])]);
  return weights;
}

/** The weights of some entries of the vocabulary, `[batch, to - from]`. */
function entryWeights(
  g: GraphBuilder,
  x: Value,
  { weight, bias }: ReturnType<VocabularyHead['decoder']>,
  [from, to]: readonly [number, number],
  { strategy, logarithms }: SpladeOptions,
): Value {
  const width = to - from;
  const matrix = g.constant(transposed(rowsOf(weight, from, to)));
  const logits = g.node('MatMul', [x, matrix], { dims: ['batch', 'tokens', width] });
  const shifted = (value: Value) =>
    bias === undefined ? value : g.node('Add', [value, g.constant(rowsOf(bias, from, to))]);
  if (strategy === 'sum') return sumOverTokens(g, saturated(g, shifted(logits), logarithms));
  // The maximum comes first: bias and logarithm keep the order of numbers, and cost nothing for one row.
  const attributes = { axes: { ints: [1] }, keepdims: { int: 0 } };
  const largest = g.node('ReduceMax', [logits], { attributes, dims: ['batch', width] });
  return saturated(g, shifted(largest), logarithms);
}

function weightsOf(g: GraphBuilder, x: Value, decoder: ReturnType<VocabularyHead['decoder']>, options: SpladeOptions) {
  const entries = decoder.weight.dims[0] ?? 0;
  const parts: Value[] = [];
  for (let from = 0; from < entries; from += ENTRIES_AT_ONCE) {
    parts.push(entryWeights(g, x, decoder, [from, Math.min(from + ENTRIES_AT_ONCE, entries)], options));
  }
  return g.node('Concat', parts, { attributes: { axis: { int: -1 } }, dims: ['batch', entries] });
}

function vocabularyHeadOf(folder: ModelFolder, head: VocabularyHead | undefined): VocabularyHead {
  if (head !== undefined) return head;
  throw new ServiceError(
    'unsupported_architecture',
    `model '${folder.id}': SPLADE is not supported for model_type '${folder.config.model_type}'`,
  );
}

/**
 * SPLADE: a weight for each entry of the vocabulary, from the logits of a masked language model at every token, special ones
 * included.
 * Source: https://github.com/UKPLab/sentence-transformers/blob/v5.0.0/sentence_transformers/sparse_encoder/models/SpladePooling.py
 */
export const splade: ConfigureHead = (folder, model) => {
  const head = vocabularyHeadOf(folder, model.vocabularyHead);
  const options = readOptions(folder);
  const { vocabularySize } = model;
  return {
    tasks: ['sparse'],
    outputs: [itemOutput('sparse', vocabularySize)],
    wantedTokens: 'all',
    apply: (g, root, body, hidden) => [
      weightsOf(g, head.transform(g, root, body, hidden), head.decoder(root, body), options),
    ],
  };
};
