import { ServiceError } from '../../contracts/errors.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { refuseFields } from '../config/refuse-fields.ts';
import { requireMultiple } from '../config/require-multiple.ts';
import { unsupportedField } from '../config/unsupported-field.ts';
import type { RotaryTable } from '../layers/rotary.ts';

/** The sizes that every decoder's config states, under the names of Hugging Face. */
export interface DecoderSizes {
  readonly vocab_size: number;
  readonly hidden_size: number;
  readonly intermediate_size: number;
  readonly num_hidden_layers: number;
  readonly num_attention_heads: number;
  readonly num_key_value_heads: number;
  /** Width of one head; all heads together may be wider or narrower than `hidden_size`. */
  readonly head_dim: number;
  readonly max_position_embeddings: number;
  readonly rms_norm_eps: number;
}

/** What one layer sees, and how its heads are turned. */
export interface DecoderLayer {
  /** How far apart two tokens may be that see each other; any distance where none is given. */
  readonly reach: number | undefined;
  readonly rotary: RotaryTable;
}

/** A decoder: the sizes, and what distinguishes the families. */
export interface DecoderConfig extends DecoderSizes {
  readonly activation: string;
  readonly bias: { readonly queryKeyValue: boolean; readonly output: boolean; readonly feedForward: boolean };
  /** Query and key are normalised, head by head, before they are turned. */
  readonly headNorms: boolean;
  /** Gemma's: norms store their gain less 1, and also follow attention and feed-forward. */
  readonly sandwichNorms: boolean;
  /** Factor of the word embeddings. */
  readonly embeddingScale: number | undefined;
  /** Factor of the attention scores. */
  readonly scoreScale: number;
  readonly scoreSoftcap: number | undefined;
  /** False where every token sees those after it too. */
  readonly causal: boolean;
  /** One for each of `num_hidden_layers`. */
  readonly layers: readonly DecoderLayer[];
  readonly padTokenId: number | undefined;
  readonly tiedEmbeddings: boolean;
}

/**
 * Whether ONNX Runtime's grouped attention fits, which repeats no heads and knows windows and caps: it looks back only, and
 * takes heads of a multiple of 8. Otherwise heads are repeated for the plain one.
 */
export function takesGroupedHeads({ causal, head_dim }: Pick<DecoderConfig, 'causal' | 'head_dim'>): boolean {
  return causal && head_dim % 8 === 0;
}

/** A field that can be switched off: null says that there is none, a missing one takes the reference's default. */
export function optionalInteger(json: JsonObject, field: string, fallback: number | undefined): number | undefined {
  const value = json[field];
  if (value === null || (value === undefined && fallback === undefined)) return undefined;
  return new ConfigFields(json, 'config.json').positiveInteger(field, fallback);
}

/** `pad_token_id`: null, and the negative number of older configs, mean that there is none. */
export function padTokenId({ pad_token_id: id }: JsonObject, fallback?: number): number | undefined {
  if (id === undefined) return fallback;
  return typeof id === 'number' && Number.isSafeInteger(id) && id >= 0 ? id : undefined;
}

/** A family's own defaults. Without them there is one key for each head, and the heads share `hidden_size`. */
export type DecoderDefaults = Omit<DecoderSizes, 'head_dim' | 'num_key_value_heads'> & {
  readonly head_dim: number | undefined;
  readonly num_key_value_heads: number | undefined;
};

function headWidth(fields: ConfigFields, hiddenSize: number, heads: number, fallback: number | undefined): number {
  const width = fields.positiveInteger('head_dim', fallback ?? hiddenSize / heads);
  if (!Number.isSafeInteger(width)) requireMultiple('hidden_size', hiddenSize, 'num_attention_heads', heads);
  if (width % 2 === 0) return width;
  throw new ServiceError('invalid_model_folder', `config.json: head_dim should be even, got ${width}`);
}

/**
 * Reads the sizes, with the family's own defaults. Throws `invalid_model_folder` where they do not fit each other, and
 * refuses quantized weights, attention that the family does not have, and code from the model's repository: unless the
 * config states `is_causal`, in which case direction is all that such code is known to change.
 */
export function parseDecoderSizes(family: string, json: JsonObject, defaults: DecoderDefaults): DecoderSizes {
  refuseFields(json, family, { quantization_config: [], add_cross_attention: [false] });
  if (json.auto_map !== undefined && json.auto_map !== null && typeof json.is_causal !== 'boolean') {
    const actual = JSON.stringify(json.auto_map).slice(0, 200);
    throw unsupportedField(family, 'auto_map', actual, 'none, or is_causal beside it: code of a model is never run');
  }
  const fields = new ConfigFields(json, 'config.json');
  const hidden_size = fields.positiveInteger('hidden_size', defaults.hidden_size);
  const num_attention_heads = fields.positiveInteger('num_attention_heads', defaults.num_attention_heads);
  const num_key_value_heads =
    optionalInteger(json, 'num_key_value_heads', defaults.num_key_value_heads) ?? num_attention_heads;
  const head_dim = headWidth(fields, hidden_size, num_attention_heads, defaults.head_dim);
  requireMultiple('num_attention_heads', num_attention_heads, 'num_key_value_heads', num_key_value_heads);
  return {
    vocab_size: fields.positiveInteger('vocab_size', defaults.vocab_size),
    hidden_size,
    intermediate_size: fields.positiveInteger('intermediate_size', defaults.intermediate_size),
    num_hidden_layers: fields.positiveInteger('num_hidden_layers', defaults.num_hidden_layers),
    num_attention_heads,
    num_key_value_heads,
    head_dim,
    max_position_embeddings: fields.positiveInteger('max_position_embeddings', defaults.max_position_embeddings),
    rms_norm_eps: fields.positiveNumber('rms_norm_eps', defaults.rms_norm_eps),
  };
}
