import { ServiceError } from '../../../contracts/errors.ts';
import type { JsonObject } from '../../../contracts/json.ts';
import type { ModelModule } from '../../../contracts/model-folder.ts';
import { ConfigFields } from '../../config/config-fields.ts';
import { concatenated } from './concatenated.ts';
import type { Pooling } from './pooling.ts';
import { POOLINGS } from './registry.ts';

/** Flag of the older config form -> mode, with the reference's defaults. Several set flags concatenate their vectors. */
const FLAGS = [
  { field: 'pooling_mode_cls_token', mode: 'cls', fallback: false },
  { field: 'pooling_mode_max_tokens', mode: 'max', fallback: false },
  { field: 'pooling_mode_mean_tokens', mode: 'mean', fallback: true },
  { field: 'pooling_mode_mean_sqrt_len_tokens', mode: 'mean_sqrt_len_tokens', fallback: false },
  { field: 'pooling_mode_weightedmean_tokens', mode: 'weightedmean', fallback: false },
  { field: 'pooling_mode_lasttoken', mode: 'lasttoken', fallback: false },
];

/** `pooling_mode` is one mode or a list; it wins over the flags. */
function modesOf(config: JsonObject, fields: ConfigFields): readonly string[] {
  const { pooling_mode: mode } = config;
  if (Array.isArray(mode) && mode.every((each) => typeof each === 'string')) return mode;
  if (mode !== undefined && mode !== null) return [fields.text('pooling_mode')];
  return FLAGS.filter(({ field, fallback }) => fields.flag(field, fallback)).map((flag) => flag.mode);
}

function checkWidth(config: JsonObject, fields: ConfigFields, fileName: string, hiddenSize: number): void {
  for (const field of ['word_embedding_dimension', 'embedding_dimension']) {
    const width = config[field] === undefined ? hiddenSize : fields.positiveInteger(field);
    if (width === hiddenSize) continue;
    throw new ServiceError('invalid_model_folder', `${fileName}: ${field} is ${width}, expected ${hiddenSize}`);
  }
}

export interface ParsedPooling {
  readonly pooling: Pooling;
  /** Of the vector that it makes: a multiple of the hidden size where several modes are concatenated. */
  readonly width: number;
}

/**
 * Reads a sentence-transformers Pooling module, in the older form (one flag for each mode) and the newer one
 * (`pooling_mode`). The vectors of several modes are concatenated in the reference's order, whatever order the file has.
 * Throws `invalid_model_folder` when its config.json is missing or wrong, `unsupported_architecture` for an unknown mode,
 * or for none.
 * Source: https://github.com/UKPLab/sentence-transformers/blob/v3.4.1/sentence_transformers/models/Pooling.py
 */
export function parsePooling(module: ModelModule, hiddenSize: number): ParsedPooling {
  const fileName = `${module.path}/config.json`;
  if (module.config === undefined) {
    throw new ServiceError('invalid_model_folder', `modules.json lists ${module.type}, but ${fileName} is missing`);
  }
  const fields = new ConfigFields(module.config, fileName);
  const modes = modesOf(module.config, fields);
  const poolings = POOLINGS.filter(({ mode }) => modes.includes(mode));
  if (poolings.length === 0 || poolings.length !== modes.length) {
    const supported = POOLINGS.map(({ mode }) => `'${mode}'`).join(', ');
    const actual = modes.length === 0 ? 'nothing' : modes.map((mode) => `'${mode}'`).join(' and ');
    throw new ServiceError(
      'unsupported_architecture',
      `${fileName}: pooling mode is ${actual}, expected one or more of ${supported}`,
    );
  }
  if (!fields.flag('include_prompt', true)) {
    throw new ServiceError('unsupported_architecture', `${fileName}: include_prompt is false, expected true`);
  }
  checkWidth(module.config, fields, fileName, hiddenSize);
  return { pooling: concatenated(poolings), width: hiddenSize * poolings.length };
}
