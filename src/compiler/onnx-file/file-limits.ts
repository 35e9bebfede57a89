import { ServiceError } from '../../contracts/errors.ts';
import type { JsonObject } from '../../contracts/json.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';
import { findArchitecture } from '../architectures/registry.ts';

/** What only config.json says about a ready-made graph. */
export interface FileLimits {
  readonly hiddenSize: number | undefined;
  readonly vocabularySize: number;
  readonly maxPositions: number;
}

const SIZES = {
  hidden: ['hidden_size', 'dim', 'd_model', 'n_embd', 'hidden_dim'],
  vocabulary: ['vocab_size'],
  positions: ['max_position_embeddings', 'n_positions', 'max_sequence_length', 'max_seq_len', 'max_trained_positions'],
};

/** A tokenizer without a limit says 10^30. */
const LONGEST = 1_000_000;

function firstSize(json: JsonObject | undefined, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = json?.[name];
    if (typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 2 ** 31) return value;
  }
  return undefined;
}

function required(value: number | undefined, folder: ModelFolder, names: readonly string[]): number {
  if (value !== undefined) return value;
  throw new ServiceError(
    'invalid_model_folder',
    `model '${folder.id}': config.json has none of the fields ${names.join(', ')}`,
  );
}

/** Families that count positions from behind the padding id. */
function countsFromPadding({ model_type: modelType }: JsonObject): boolean {
  return typeof modelType === 'string' && /roberta|camembert/.test(modelType);
}

function anyFamily(folder: ModelFolder): FileLimits {
  const { config, tokenizerConfig } = folder;
  const stated = firstSize(config, SIZES.positions);
  const padding = typeof config.pad_token_id === 'number' ? config.pad_token_id : 1;
  const table = stated !== undefined && countsFromPadding(config) ? stated - padding - 1 : stated;
  const tokenizerLimit = firstSize(tokenizerConfig, ['model_max_length']);
  const limit = tokenizerLimit !== undefined && tokenizerLimit <= LONGEST ? tokenizerLimit : undefined;
  return {
    hiddenSize: firstSize(config, SIZES.hidden),
    vocabularySize: required(firstSize(config, SIZES.vocabulary), folder, SIZES.vocabulary),
    maxPositions: required(table ?? limit, folder, SIZES.positions),
  };
}

/** The sizes of a model: as its family reads them where it is known, otherwise by the usual names of the fields. */
export function fileLimits(folder: ModelFolder): FileLimits {
  try {
    return findArchitecture(folder).configure(folder.config);
  } catch (error) {
    if (error instanceof ServiceError) return anyFamily(folder);
    throw error;
  }
}
