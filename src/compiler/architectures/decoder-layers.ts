import { ServiceError } from '../../contracts/errors.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { unsupportedField } from '../config/unsupported-field.ts';

/** What a layer sees, in the words of `layer_types`. */
export type LayerType = 'full_attention' | 'sliding_attention';

const LAYER_TYPES: readonly unknown[] = ['full_attention', 'sliding_attention'] satisfies LayerType[];

const isLayerType = (value: unknown): value is LayerType => LAYER_TYPES.includes(value);

/**
 * The type of each layer: `layer_types`, otherwise what the family does. Throws `unsupported_architecture` for a type that
 * is not known, `invalid_model_folder` where there are fewer types than layers.
 */
export function readLayerTypes(
  family: string,
  { layer_types: stated }: JsonObject,
  count: number,
  fallback: (index: number) => LayerType,
): readonly LayerType[] {
  if (stated === undefined || stated === null) return Array.from({ length: count }, (_, index) => fallback(index));
  if (!Array.isArray(stated) || stated.length < count) {
    throw new ServiceError(
      'invalid_model_folder',
      `config.json: layer_types should be a list of ${count} types, got ${JSON.stringify(stated).slice(0, 80)}`,
    );
  }
  return stated.slice(0, count).map((type: unknown) => {
    if (isLayerType(type)) return type;
    throw unsupportedField(family, 'layer_types', JSON.stringify(type), LAYER_TYPES.join(' or '));
  });
}

export interface Window {
  /** As the config states it. */
  readonly sliding_window: number | undefined;
  readonly causal: boolean;
  readonly max_position_embeddings: number;
}

/**
 * How far apart tokens may be that see each other in a sliding layer. A causal window counts the token itself, one in
 * both directions does not; a window that no sequence exceeds is none.
 * Source: https://github.com/huggingface/transformers/blob/v5.0.0/src/transformers/masking_utils.py
 */
export function reachOf({ sliding_window: window, causal, max_position_embeddings }: Window): number | undefined {
  if (window === undefined) return undefined;
  const reach = causal ? window - 1 : window;
  return reach >= max_position_embeddings - 1 ? undefined : reach;
}
