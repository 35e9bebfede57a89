import { expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import { parseNomicBertConfig } from './nomic-bert-config.ts';

test('an empty config has the defaults of the code on the hub', () => {
  expect(parseNomicBertConfig({})).toEqual({
    vocab_size: 50257,
    n_embd: 768,
    n_layer: 12,
    n_head: 12,
    n_inner: 3072,
    n_positions: 1024,
    type_vocab_size: 2,
    layer_norm_epsilon: 1e-5,
    feedForward: { activation: 'gelu', gated: false },
    qkv_proj_bias: true,
    mlp_fc1_bias: true,
    mlp_fc2_bias: true,
    rotaryWidth: 0,
    rope: { rope_type: 'default', rope_theta: 10000 },
    rotary_scaling_factor: undefined,
    max_trained_positions: 2048,
    moe_every_n_layers: 0,
    num_experts: 0,
    moe_top_k: 0,
  });
});

test.each<[JsonObject, object]>([
  [{ vocab_size: 30522, pad_vocab_size_multiple: 64 }, { vocab_size: 30528 }],
  [{ activation_function: 'swiglu' }, { n_inner: 2048, feedForward: { activation: 'silu', gated: true } }],
  [{ activation_function: 'gelu_new' }, { feedForward: { activation: 'gelu', gated: false } }],
  [{ rotary_emb_fraction: 0.5 }, { rotaryWidth: 32 }],
  [{ rotary_emb_fraction: 1, rotary_scaling_factor: 2 }, { rotary_scaling_factor: 2 }],
  [{ rotary_emb_fraction: 1, rotary_scaling_factor: 0 }, { rotary_scaling_factor: undefined }],
])('%j is followed', (config, parsed) => {
  expect(parseNomicBertConfig(config)).toMatchObject(parsed);
});

test('a config of transformers 5 has gated layers without biases', () => {
  const config = { hidden_size: 64, num_attention_heads: 4, intermediate_size: 96, rope_parameters: { rope_theta: 7 } };
  expect(parseNomicBertConfig(config)).toMatchObject({
    vocab_size: 30528,
    n_embd: 64,
    n_inner: 96,
    n_positions: 2048,
    layer_norm_epsilon: 1e-12,
    feedForward: { activation: 'silu', gated: true },
    qkv_proj_bias: false,
    mlp_fc1_bias: false,
    rotaryWidth: 16,
    rope: { rope_type: 'default', rope_theta: 7 },
  });
});

const EXPERTS = { moe_every_n_layers: 2, num_experts: 4, moe_top_k: 2, activation_function: 'gelu' };

test.each<[JsonObject, string]>([
  [{ activation_function: 'relu' }, "nomic_bert: activation_function is 'relu', expected one of swiglu, geglu, glu, "],
  [{ causal: true }, 'nomic_bert: causal is true, expected false'],
  [{ prenorm: true }, 'prenorm is true'],
  [{ parallel_block: true }, 'parallel_block is true'],
  [{ use_rms_norm: true }, 'use_rms_norm is true'],
  [{ num_heads_kv: 4 }, 'num_heads_kv is 4, expected 12'],
  [{ rotary_emb_interleaved: true }, 'rotary_emb_interleaved is true'],
  [{ rotary_emb_scale_base: 512 }, 'rotary_emb_scale_base is 512'],
  [{ rotary_emb_fraction: 0.1 }, 'rotary_emb_fraction is 0.1, expected an even part of the head width 64'],
  [{ ...EXPERTS, activation_function: 'swiglu' }, 'activation_function is "swiglu", expected "gelu"'],
  [{ ...EXPERTS, expert_choice_router: true }, 'expert_choice_router is true'],
  [{ ...EXPERTS, ffn_div: 2 }, 'ffn_div is 2, expected 1'],
  [{ ...EXPERTS, moe_normalize_expert_weights: true }, 'moe_normalize_expert_weights is true'],
  [{ ...EXPERTS, num_shared_experts: 1 }, 'num_shared_experts is 1, expected 0'],
  [{ ...EXPERTS, moe_top_k: 5 }, 'moe_top_k is 5, expected at most num_experts, 4'],
  [{ hidden_size: 64, num_attention_heads: 4, head_dim: 32 }, 'head_dim is 32, expected 16'],
  [{ quantization_config: { bits: 4 } }, 'quantization_config is {"bits":4}'],
])('%j is refused by name', (config, message) => {
  expect(() => parseNomicBertConfig(config)).toThrow(
    expect.objectContaining({ code: 'unsupported_architecture', message: expect.stringContaining(message) }),
  );
});
