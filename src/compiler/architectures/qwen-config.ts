import type { JsonObject } from '../../contracts/json.ts';
import { activationField } from '../config/activation-field.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { refuseFields } from '../config/refuse-fields.ts';
import { readRopeParameters } from '../config/rope-parameters.ts';
import { unsupportedField } from '../config/unsupported-field.ts';
import { rotaryTable } from '../layers/rope-scaling.ts';
import {
  type DecoderConfig,
  type DecoderDefaults,
  type DecoderLayer,
  type DecoderSizes,
  optionalInteger,
  padTokenId,
  parseDecoderSizes,
} from './decoder-config.ts';
import { reachOf, readLayerTypes } from './decoder-layers.ts';

/** The defaults that Qwen2 and Qwen3 share. */
export const QWEN_DEFAULTS = {
  vocab_size: 151936,
  hidden_size: 4096,
  intermediate_size: 22016,
  num_hidden_layers: 32,
  num_attention_heads: 32,
  num_key_value_heads: 32,
  max_position_embeddings: 32768,
  rms_norm_eps: 1e-6,
};

/** Layers slide from `max_window_layers` on, and only where `use_sliding_window` says so. */
function readLayers(family: string, json: JsonObject, sizes: DecoderSizes, causal: boolean): readonly DecoderLayer[] {
  const fields = new ConfigFields(json, 'config.json');
  const slides = fields.flag('use_sliding_window', false);
  const sliding_window = slides ? optionalInteger(json, 'sliding_window', 4096) : undefined;
  const first = json.max_window_layers === 0 ? 0 : fields.positiveInteger('max_window_layers', 28);
  const rope = readRopeParameters(family, json, { ...sizes, rope_theta: 10_000 });
  const rotary = rotaryTable(rope, sizes.head_dim, sizes.max_position_embeddings);
  const types = readLayerTypes(family, json, sizes.num_hidden_layers, (index) =>
    sliding_window !== undefined && index >= first ? 'sliding_attention' : 'full_attention',
  );
  if (types.includes('sliding_attention') && sliding_window === undefined) {
    throw unsupportedField(family, 'layer_types', 'sliding_attention in some layers', 'a sliding_window that is used');
  }
  const reach = reachOf({ ...sizes, causal, sliding_window });
  return types.map((type) => ({ reach: type === 'sliding_attention' ? reach : undefined, rotary }));
}

export interface QwenTraits extends Pick<DecoderConfig, 'headNorms'> {
  readonly defaults: DecoderDefaults;
  bias(fields: ConfigFields): Pick<DecoderConfig['bias'], 'queryKeyValue' | 'output'>;
}

/** What Qwen2 and Qwen3 read alike; `is_causal` false makes attention look both ways. */
export function parseQwenConfig(family: string, json: JsonObject, traits: QwenTraits): DecoderConfig {
  const fields = new ConfigFields(json, 'config.json');
  const sizes = parseDecoderSizes(family, json, traits.defaults);
  refuseFields(json, family, { use_bidirectional_attention: [false] });
  const causal = fields.flag('is_causal', true);
  return {
    ...sizes,
    activation: activationField(family, fields, 'hidden_act', 'silu'),
    bias: { ...traits.bias(fields), feedForward: false },
    headNorms: traits.headNorms,
    sandwichNorms: false,
    embeddingScale: undefined,
    scoreScale: sizes.head_dim ** -0.5,
    scoreSoftcap: undefined,
    causal,
    layers: readLayers(family, json, sizes, causal),
    padTokenId: padTokenId(json),
    tiedEmbeddings: fields.flag('tie_word_embeddings', false),
  };
}
