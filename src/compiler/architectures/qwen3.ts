import type { JsonObject } from '../../contracts/json.ts';
import type { Architecture } from './architecture.ts';
import { decoder } from './decoder.ts';
import type { DecoderConfig } from './decoder-config.ts';
import { parseQwenConfig, QWEN_DEFAULTS } from './qwen-config.ts';

/**
 * Llama with a norm of each head of query and key, before they are turned.
 * Source: https://github.com/huggingface/transformers/blob/v5.0.0/src/transformers/models/qwen3/modeling_qwen3.py
 */
export function parseQwen3Config(json: JsonObject): DecoderConfig {
  return parseQwenConfig('qwen3', json, {
    defaults: { ...QWEN_DEFAULTS, head_dim: 128 },
    headNorms: true,
    bias(fields) {
      const everywhere = fields.flag('attention_bias', false);
      return { queryKeyValue: everywhere, output: everywhere };
    },
  });
}

export const qwen3: Architecture = {
  modelType: 'qwen3',
  configure: (json) => decoder(parseQwen3Config(json)),
};
