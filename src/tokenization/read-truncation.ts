import { ServiceError } from '../contracts/errors.ts';
import type { JsonObject } from '../contracts/json.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import type { TruncationSide } from './truncate.ts';

export interface Truncation {
  /** In tokens, special tokens included. */
  readonly maxSequenceLength: number;
  readonly side: TruncationSide;
}

/**
 * How the model's files say that a sequence is truncated, by the rule of sentence-transformers: `max_seq_length` of
 * sentence_bert_config.json where it is given, else `model_max_length` of tokenizer_config.json (which can be 1e30, for
 * "none"); never more than the model has positions for.
 */
export function readTruncation(
  { sentenceBertConfig, tokenizerConfig }: Pick<ModelFolder, 'sentenceBertConfig' | 'tokenizerConfig'>,
  maxPositions: number,
): Truncation {
  const stated =
    readLength('sentence_bert_config.json', sentenceBertConfig, 'max_seq_length') ??
    readLength('tokenizer_config.json', tokenizerConfig, 'model_max_length') ??
    maxPositions;
  return { maxSequenceLength: Math.min(stated, maxPositions), side: readSide(tokenizerConfig) };
}

function readLength(file: string, config: JsonObject | undefined, key: string): number | undefined {
  const value = config?.[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
  throw new ServiceError(
    'invalid_model_folder',
    `${file}: expected '${key}' to be a positive whole number of tokens, got ${JSON.stringify(value)}`,
  );
}

function readSide(tokenizerConfig: JsonObject | undefined): TruncationSide {
  const side = tokenizerConfig?.truncation_side;
  if (side === undefined || side === null) return 'right';
  if (side === 'left' || side === 'right') return side;
  throw new ServiceError(
    'invalid_model_folder',
    `tokenizer_config.json: expected 'truncation_side' to be 'left' or 'right', got ${JSON.stringify(side)}`,
  );
}
