import { ServiceError } from '../../contracts/errors.ts';
import { isJsonObject, type JsonObject } from '../../contracts/json.ts';
import { activationField } from '../config/activation-field.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { refuseFields } from '../config/refuse-fields.ts';
import { requireMultiple } from '../config/require-multiple.ts';
import { parseRopeParameters, type RopeParameters } from '../config/rope-parameters.ts';
import { unsupportedField } from '../config/unsupported-field.ts';

const FAMILY = 'modernbert';

/** Fields that are not here change nothing at inference. */
export interface ModernBertConfig {
  readonly vocab_size: number;
  readonly hidden_size: number;
  readonly intermediate_size: number;
  readonly num_hidden_layers: number;
  readonly num_attention_heads: number;
  readonly hidden_activation: string;
  readonly max_position_embeddings: number;
  readonly norm_eps: number;
  readonly norm_bias: boolean;
  readonly attention_bias: boolean;
  readonly mlp_bias: boolean;
  readonly local_attention: number;
  readonly globalRope: RopeParameters;
  readonly localRope: RopeParameters;
  /** Whether a layer sees all tokens, for each layer. */
  readonly globalLayers: readonly boolean[];
  readonly classifier_pooling: 'cls' | 'mean';
  readonly classifier_bias: boolean;
  readonly classifier_activation: string;
  readonly decoder_bias: boolean;
}

/** Newer configs list the layers, older ones count them: every so many layers one is global. */
function parseGlobalLayers(config: JsonObject, fields: ConfigFields, layers: number): readonly boolean[] {
  const { layer_types: types } = config;
  if (types === undefined || types === null) {
    const every = fields.positiveInteger('global_attn_every_n_layers', 3);
    return Array.from({ length: layers }, (_, index) => index % every === 0);
  }
  if (!Array.isArray(types) || types.length !== layers) {
    const message = `config.json: layer_types should be a list of ${layers} layers, got ${JSON.stringify(types).slice(0, 80)}`;
    throw new ServiceError('invalid_model_folder', message);
  }
  return types.map((type) => {
    if (type === 'full_attention' || type === 'sliding_attention') return type === 'full_attention';
    throw unsupportedField(FAMILY, 'layer_types', `'${type}'`, `'full_attention' or 'sliding_attention'`);
  });
}

/**
 * Newer configs give `rope_parameters` for each type of layer, older ones a base for each and, perhaps, one `rope_scaling`.
 * A missing `local_rope_theta` has a default, one that is null stands for the global one.
 */
function parseRopes(config: JsonObject, fields: ConfigFields) {
  const global = fields.positiveNumber('global_rope_theta', 160000);
  const local = fields.positiveNumber('local_rope_theta', config.local_rope_theta === null ? global : 10000);
  const positions = fields.positiveInteger('max_position_embeddings', 8192);
  const { rope_parameters: byType, rope_scaling: shared } = config;
  const ropeOf = (layerType: string, theta: number) => {
    const own = isJsonObject(byType) ? byType[layerType] : undefined;
    const parameters = { ...(isJsonObject(shared) ? shared : {}), ...(isJsonObject(own) ? own : {}) };
    return parseRopeParameters(FAMILY, parameters, { rope_theta: theta, max_position_embeddings: positions });
  };
  return {
    max_position_embeddings: positions,
    globalRope: ropeOf('full_attention', global),
    localRope: ropeOf('sliding_attention', local),
  };
}

function parseClassifierPooling(fields: ConfigFields): 'cls' | 'mean' {
  const pooling = fields.text('classifier_pooling', 'cls');
  if (pooling === 'cls' || pooling === 'mean') return pooling;
  throw unsupportedField(FAMILY, 'classifier_pooling', `'${pooling}'`, `'cls' or 'mean'`);
}

/**
 * ModernBertConfig, in the forms of transformers 4 and 5; a value that the graph does not follow is refused by name.
 * Throws `unsupported_architecture` or `invalid_model_folder`.
 * Source: https://github.com/huggingface/transformers/blob/v4.48.1/src/transformers/models/modernbert/configuration_modernbert.py
 */
export function parseModernBertConfig(config: JsonObject): ModernBertConfig {
  const fields = new ConfigFields(config, 'config.json');
  refuseFields(config, FAMILY, { quantization_config: [] });
  const hiddenSize = fields.positiveInteger('hidden_size', 768);
  const heads = fields.positiveInteger('num_attention_heads', 12);
  requireMultiple('hidden_size', hiddenSize, '2 * num_attention_heads', 2 * heads);
  const layers = fields.positiveInteger('num_hidden_layers', 22);
  return {
    vocab_size: fields.positiveInteger('vocab_size', 50368),
    hidden_size: hiddenSize,
    intermediate_size: fields.positiveInteger('intermediate_size', 1152),
    num_hidden_layers: layers,
    num_attention_heads: heads,
    hidden_activation: activationField(FAMILY, fields, 'hidden_activation', 'gelu'),
    norm_eps: fields.positiveNumber('norm_eps', 1e-5),
    norm_bias: fields.flag('norm_bias', false),
    attention_bias: fields.flag('attention_bias', false),
    mlp_bias: fields.flag('mlp_bias', false),
    local_attention: fields.positiveInteger('local_attention', 128),
    ...parseRopes(config, fields),
    globalLayers: parseGlobalLayers(config, fields, layers),
    classifier_pooling: parseClassifierPooling(fields),
    classifier_bias: fields.flag('classifier_bias', false),
    decoder_bias: fields.flag('decoder_bias', true),
    classifier_activation: activationField(FAMILY, fields, 'classifier_activation', 'gelu'),
  };
}
