import { expect, test } from 'vitest';
import { parseXlmRobertaFlashConfig } from './xlm-roberta-flash-config.ts';

const ROTARY = { position_embedding_type: 'rotary' };
const TASKS = { ...ROTARY, lora_adaptations: ['query', 'passage'], lora_rank: 8, lora_alpha: 2 };

test('fields that are missing take the defaults of the reference', () => {
  expect(parseXlmRobertaFlashConfig(ROTARY)).toEqual({
    vocab_size: 250002,
    hidden_size: 1024,
    num_hidden_layers: 24,
    num_attention_heads: 16,
    intermediate_size: 4096,
    hidden_act: 'gelu',
    max_position_embeddings: 8194,
    type_vocab_size: 1,
    layer_norm_eps: 1e-5,
    pad_token_id: 1,
    position_embedding_type: 'rotary',
    positions: 8194,
    rotary_emb_base: 10000,
    rotary_emb_dim: 64,
    adapter: undefined,
  });
});

test('tokens have the rows of an absolute table that lie behind pad_token_id', () => {
  const absolute = { position_embedding_type: 'absolute', max_position_embeddings: 514 };
  expect(parseXlmRobertaFlashConfig(absolute).positions).toBe(512);
  expect(parseXlmRobertaFlashConfig({ ...absolute, pad_token_id: 0 }).positions).toBe(513);
});

test('the table of words is padded to a multiple', () => {
  const config = { ...ROTARY, vocab_size: 421, pad_vocab_size_multiple: 64 };
  expect(parseXlmRobertaFlashConfig(config).vocab_size).toBe(448);
});

test('default_task chooses adapters by name; without it there are none', () => {
  expect(parseXlmRobertaFlashConfig(TASKS).adapter).toBeUndefined();
  expect(parseXlmRobertaFlashConfig({ ...TASKS, default_task: 'passage' }).adapter).toEqual({
    task: 1,
    tasks: 2,
    lora_rank: 8,
    lora_alpha: 2,
  });
});

test.each([
  [{ ...TASKS, default_task: 'sts' }, "default_task is 'sts', expected one of query, passage"],
  [{ default_task: 'sts' }, "default_task is 'sts', expected none: lora_adaptations names no tasks"],
  [{ position_embedding_type: 'alibi' }, 'position_embedding_type is "alibi", expected "absolute" or "rotary"'],
  [{ hidden_act: 'relu' }, 'hidden_act is "relu", expected "gelu" or "gelu_new" or'],
  [{ rotary_emb_interleaved: true }, 'rotary_emb_interleaved is true, expected false'],
  [{ rotary_emb_scale_base: 512 }, 'rotary_emb_scale_base is 512, expected nothing'],
  [{ use_reg_tokens: true }, 'use_reg_tokens is true, expected false'],
  [{ is_decoder: true }, 'is_decoder is true, expected false'],
  [{ quantization_config: { bits: 4 } }, 'quantization_config is {"bits":4}, expected nothing'],
])('%j is refused', (fields, message) => {
  expect(() => parseXlmRobertaFlashConfig({ ...ROTARY, ...fields })).toThrow(
    expect.objectContaining({
      code: 'unsupported_architecture',
      message: expect.stringContaining(`xlm-roberta flash: ${message}`),
    }),
  );
});

test.each([
  [{ hidden_size: 100 }, 'hidden_size should be a multiple of num_attention_heads'],
  [{ rotary_emb_dim: 65 }, 'rotary_emb_dim should be even and at most 64'],
  [{ rotary_emb_dim: 66 }, 'rotary_emb_dim should be even and at most 64'],
  [{ position_embedding_type: null }, "field 'position_embedding_type' should be a text, got null"],
  [{ position_embedding_type: 'absolute', max_position_embeddings: 2 }, 'max_position_embeddings should be over'],
])('%j is invalid', (fields, message) => {
  expect(() => parseXlmRobertaFlashConfig({ ...ROTARY, ...fields })).toThrow(
    expect.objectContaining({ code: 'invalid_model_folder', message: expect.stringContaining(message) }),
  );
});
