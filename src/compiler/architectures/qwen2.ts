import type { JsonObject } from '../../contracts/json.ts';
import type { Architecture } from './architecture.ts';
import { decoder } from './decoder.ts';
import type { DecoderConfig } from './decoder-config.ts';
import { parseQwenConfig, QWEN_DEFAULTS } from './qwen-config.ts';

/**
 * Llama with biases on query, key and value.
 * Source: https://github.com/huggingface/transformers/blob/v5.0.0/src/transformers/models/qwen2/modeling_qwen2.py
 */
export function parseQwen2Config(json: JsonObject): DecoderConfig {
  return parseQwenConfig('qwen2', json, {
    defaults: { ...QWEN_DEFAULTS, head_dim: undefined },
    headNorms: false,
    bias: () => ({ queryKeyValue: true, output: false }),
  });
}

export const qwen2: Architecture = {
  modelType: 'qwen2',
  configure: (json) => decoder(parseQwen2Config(json)),
};
