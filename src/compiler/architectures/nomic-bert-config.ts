import type { JsonObject } from '../../contracts/json.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { refuseFields } from '../config/refuse-fields.ts';
import { requireMultiple } from '../config/require-multiple.ts';
import type { RopeParameters } from '../config/rope-parameters.ts';
import { unsupportedField } from '../config/unsupported-field.ts';
import { parseNomicBertNativeConfig } from './nomic-bert-native-config.ts';

const FAMILY = 'nomic_bert';

/** The feed-forward layer: its activation by Hugging Face's name, and whether that is of a gate. */
interface FeedForward {
  readonly activation: string;
  readonly gated: boolean;
}

/** `activation_function`. The plain ones are all the exact gelu: the reference does not follow their names further. */
const FEED_FORWARDS: ReadonlyMap<string, FeedForward> = new Map([
  ['swiglu', { activation: 'silu', gated: true }],
  ['geglu', { activation: 'gelu', gated: true }],
  ['glu', { activation: 'sigmoid', gated: true }],
  ['gelu', { activation: 'gelu', gated: false }],
  ['gelu_new', { activation: 'gelu', gated: false }],
  ['gelu_fast', { activation: 'gelu', gated: false }],
  ['gelu_pytorch_tanh', { activation: 'gelu', gated: false }],
]);

/** A gated layer without `n_inner` is as wide as the next multiple of this. */
const INNER_MULTIPLE = 256;

/** Fields that are not here change nothing at inference. */
export interface NomicBertConfig {
  /** With the padding of `pad_vocab_size_multiple`. */
  readonly vocab_size: number;
  readonly n_embd: number;
  readonly n_layer: number;
  readonly n_head: number;
  readonly n_inner: number;
  readonly n_positions: number;
  readonly type_vocab_size: number;
  readonly layer_norm_epsilon: number;
  readonly feedForward: FeedForward;
  readonly qkv_proj_bias: boolean;
  readonly mlp_fc1_bias: boolean;
  readonly mlp_fc2_bias: boolean;
  /** Dimensions of each head that rotary embedding turns; 0 where positions are added to the words instead. */
  readonly rotaryWidth: number;
  readonly rope: RopeParameters;
  /** Of the angles of sequences longer than `max_trained_positions`; `undefined` where they are like those of others. */
  readonly rotary_scaling_factor: number | undefined;
  readonly max_trained_positions: number;
  /** Layers 1, 1 + this, 1 + twice this, … are mixtures of experts; 0 for none. */
  readonly moe_every_n_layers: number;
  readonly num_experts: number;
  readonly moe_top_k: number;
}

function parseFeedForward(fields: ConfigFields): FeedForward {
  const name = fields.text('activation_function', 'gelu_new');
  const found = FEED_FORWARDS.get(name);
  if (found !== undefined) return found;
  const expected = `one of ${[...FEED_FORWARDS.keys()].join(', ')}`;
  throw unsupportedField(FAMILY, 'activation_function', `'${name}'`, expected);
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}

function parseRotary(config: JsonObject, fields: ConfigFields, headWidth: number) {
  const fraction = fields.fraction('rotary_emb_fraction', 0);
  const rotaryWidth = headWidth * fraction;
  if (rotaryWidth % 2 !== 0) {
    throw unsupportedField(FAMILY, 'rotary_emb_fraction', `${fraction}`, `an even part of the head width ${headWidth}`);
  }
  // 0 says "none", as null does.
  const scaling = config.rotary_scaling_factor ? fields.positiveNumber('rotary_scaling_factor') : undefined;
  return {
    rotaryWidth,
    rope: { rope_type: 'default', rope_theta: fields.positiveNumber('rotary_emb_base', 10000) },
    rotary_scaling_factor: rotaryWidth === 0 ? undefined : scaling,
    max_trained_positions: fields.positiveInteger('max_trained_positions', 2048),
  } as const;
}

function parseExperts(config: JsonObject, fields: ConfigFields) {
  const every = fields.wholeNumber('moe_every_n_layers', 0);
  if (every === 0) return { moe_every_n_layers: 0, num_experts: 0, moe_top_k: 0 };
  refuseFields(config, FAMILY, {
    activation_function: ['gelu'],
    expert_choice_router: [false],
    ffn_div: [1],
    moe_normalize_expert_weights: [false],
    num_shared_experts: [0],
  });
  const count = fields.positiveInteger('num_experts');
  const perToken = fields.positiveInteger('moe_top_k');
  if (perToken > count) throw unsupportedField(FAMILY, 'moe_top_k', `${perToken}`, `at most num_experts, ${count}`);
  return { moe_every_n_layers: every, num_experts: count, moe_top_k: perToken };
}

/**
 * NomicBertConfig of the code on the hub, over GPT2Config, whose names it keeps.
 * Source: https://huggingface.co/nomic-ai/nomic-bert-2048/blob/main/configuration_hf_nomic_bert.py
 */
function parseHubConfig(config: JsonObject, fields: ConfigFields): NomicBertConfig {
  const [width, heads] = [fields.positiveInteger('n_embd', 768), fields.positiveInteger('n_head', 12)];
  requireMultiple('n_embd', width, 'n_head', heads);
  refuseFields(config, FAMILY, {
    causal: [false],
    num_heads_kv: [heads],
    parallel_block: [false],
    prenorm: [false],
    quantization_config: [],
    rotary_emb_interleaved: [false],
    rotary_emb_scale_base: [],
    rotary_head_dim: [false],
    use_rms_norm: [false],
  });
  const feedForward = parseFeedForward(fields);
  const defaultInner = feedForward.gated ? roundUp(Math.floor((8 * width) / 3), INNER_MULTIPLE) : 4 * width;
  const padding = fields.positiveInteger('pad_vocab_size_multiple', 1);
  return {
    vocab_size: roundUp(fields.positiveInteger('vocab_size', 50257), padding),
    n_embd: width,
    n_layer: fields.positiveInteger('n_layer', 12),
    n_head: heads,
    n_inner: fields.positiveInteger('n_inner', defaultInner),
    n_positions: fields.positiveInteger('n_positions', 1024),
    type_vocab_size: fields.wholeNumber('type_vocab_size', 2),
    layer_norm_epsilon: fields.positiveNumber('layer_norm_epsilon', 1e-5),
    feedForward,
    qkv_proj_bias: fields.flag('qkv_proj_bias', true),
    mlp_fc1_bias: fields.flag('mlp_fc1_bias', true),
    mlp_fc2_bias: fields.flag('mlp_fc2_bias', true),
    ...parseRotary(config, fields, width / heads),
    ...parseExperts(config, fields),
  };
}

/**
 * A config of either form: that of the code on the hub, or that of transformers 5, which names its width `hidden_size`. A
 * value that the graph does not follow is refused by name: throws `unsupported_architecture` or `invalid_model_folder`.
 */
export function parseNomicBertConfig(config: JsonObject): NomicBertConfig {
  const fields = new ConfigFields(config, 'config.json');
  const isNative = config.n_embd === undefined && config.hidden_size !== undefined;
  return isNative ? parseNomicBertNativeConfig(config, fields) : parseHubConfig(config, fields);
}
