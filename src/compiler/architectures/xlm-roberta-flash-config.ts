import { ServiceError } from '../../contracts/errors.ts';
import type { JsonObject } from '../../contracts/json.ts';
import { ConfigFields } from '../config/config-fields.ts';
import { refuseFields } from '../config/refuse-fields.ts';
import { requireMultiple } from '../config/require-multiple.ts';
import { unsupportedField } from '../config/unsupported-field.ts';

const FAMILY = 'xlm-roberta flash';

/** The adapters of one task, to be merged into the weights. */
export interface TaskAdapter {
  /** Index of the task in `lora_adaptations`, and how many there are. */
  readonly task: number;
  readonly tasks: number;
  readonly lora_rank: number;
  readonly lora_alpha: number;
}

export interface XlmRobertaFlashConfig {
  readonly vocab_size: number;
  readonly hidden_size: number;
  readonly num_hidden_layers: number;
  readonly num_attention_heads: number;
  readonly intermediate_size: number;
  readonly hidden_act: string;
  readonly max_position_embeddings: number;
  readonly type_vocab_size: number;
  readonly layer_norm_eps: number;
  readonly pad_token_id: number;
  readonly position_embedding_type: string;
  /** Positions that tokens can have: of an absolute table, those behind `pad_token_id`. */
  readonly positions: number;
  readonly rotary_emb_base: number;
  readonly rotary_emb_dim: number;
  /** Without one the model works as it was before the adapters were trained. */
  readonly adapter: TaskAdapter | undefined;
}

/** `default_task` is an argument of the reference's sentence-transformers module; here it is read from config.json. */
function parseAdapter(config: JsonObject, fields: ConfigFields): TaskAdapter | undefined {
  if (config.default_task === undefined || config.default_task === null) return undefined;
  const name = fields.text('default_task');
  const tasks = Array.isArray(config.lora_adaptations) ? config.lora_adaptations : [];
  const task = tasks.indexOf(name);
  if (task < 0) {
    const expected = tasks.length === 0 ? 'none: lora_adaptations names no tasks' : `one of ${tasks.join(', ')}`;
    throw unsupportedField(FAMILY, 'default_task', `'${name}'`, expected);
  }
  return {
    task,
    tasks: tasks.length,
    lora_rank: fields.positiveInteger('lora_rank', 4),
    lora_alpha: fields.positiveNumber('lora_alpha', 1),
  };
}

/** The reference makes room for more rows than there are words. */
function paddedVocabulary(fields: ConfigFields): number {
  const multiple = fields.positiveInteger('pad_vocab_size_multiple', 1);
  return Math.ceil(fields.positiveInteger('vocab_size', 250002) / multiple) * multiple;
}

function refuse(config: JsonObject): void {
  refuseFields(config, FAMILY, {
    position_embedding_type: ['absolute', 'rotary'],
    // The reference asserts these: the feed-forward part is gelu, exact or by tanh, whatever else the name says.
    hidden_act: ['gelu', 'gelu_new', 'gelu_fast', 'gelu_pytorch_tanh'],
    rotary_emb_interleaved: [false],
    rotary_emb_scale_base: [],
    use_reg_tokens: [false],
    is_decoder: [false],
    add_cross_attention: [false],
    quantization_config: [],
  });
}

/**
 * Every field of XLMRobertaFlashConfig that changes the result of inference. The rest are dropout, initialisation,
 * training, how attention is computed (`use_flash_attn`, `fused_…`), and what only the model's own `encode` reads:
 * `emb_pooler`, `truncate_dim`, `matryoshka_dimensions` and `task_instructions`.
 * Source: https://huggingface.co/jinaai/xlm-roberta-flash-implementation/blob/main/configuration_xlm_roberta.py
 */
export function parseXlmRobertaFlashConfig(config: JsonObject): XlmRobertaFlashConfig {
  const fields = new ConfigFields(config, 'config.json');
  refuse(config);
  const hiddenSize = fields.positiveInteger('hidden_size', 1024);
  const heads = fields.positiveInteger('num_attention_heads', 16);
  requireMultiple('hidden_size', hiddenSize, 'num_attention_heads', heads);
  const rotaryWidth = fields.positiveInteger('rotary_emb_dim', hiddenSize / heads);
  if (rotaryWidth % 2 !== 0 || rotaryWidth > hiddenSize / heads) {
    throw new ServiceError(
      'invalid_model_folder',
      `config.json: rotary_emb_dim should be even and at most ${hiddenSize / heads}, the width of a head, got ${rotaryWidth}`,
    );
  }
  const rows = fields.positiveInteger('max_position_embeddings', 8194);
  const padId = fields.wholeNumber('pad_token_id', 1);
  // Versions of the class differ in its default, so a config without it is not guessed at.
  const positionType = fields.text('position_embedding_type');
  const positions = positionType === 'absolute' ? rows - padId - 1 : rows;
  if (positions < 1) {
    throw new ServiceError(
      'invalid_model_folder',
      `config.json: max_position_embeddings should be over pad_token_id + 1, got ${rows} and ${padId}`,
    );
  }
  return {
    vocab_size: paddedVocabulary(fields),
    hidden_size: hiddenSize,
    num_hidden_layers: fields.positiveInteger('num_hidden_layers', 24),
    num_attention_heads: heads,
    intermediate_size: fields.positiveInteger('intermediate_size', 4096),
    hidden_act: fields.text('hidden_act', 'gelu'),
    max_position_embeddings: rows,
    type_vocab_size: fields.positiveInteger('type_vocab_size', 1),
    layer_norm_eps: fields.positiveNumber('layer_norm_eps', 1e-5),
    pad_token_id: padId,
    position_embedding_type: positionType,
    positions,
    rotary_emb_base: fields.positiveNumber('rotary_emb_base', 10000),
    rotary_emb_dim: rotaryWidth,
    adapter: parseAdapter(config, fields),
  };
}
