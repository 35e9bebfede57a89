import { expect, test } from 'vitest';
import { parseJinaBertConfig } from './jina-bert-config.ts';

const ALIBI = { position_embedding_type: 'alibi' };

test('fields that are missing take the defaults of the reference', () => {
  expect(parseJinaBertConfig(ALIBI)).toEqual({
    vocab_size: 30522,
    hidden_size: 768,
    num_hidden_layers: 12,
    num_attention_heads: 12,
    intermediate_size: 3072,
    feed_forward_type: 'original',
    hidden_act: 'gelu',
    max_position_embeddings: 512,
    type_vocab_size: 2,
    layer_norm_eps: 1e-12,
  });
});

test.each([
  [{ position_embedding_type: 'absolute' }, 'position_embedding_type is "absolute", expected "alibi"'],
  [{ feed_forward_type: 'swiglu' }, 'feed_forward_type is "swiglu", expected "original" or "geglu" or "reglu"'],
  [{ hidden_act: 'snake' }, "hidden_act is 'snake', expected one of gelu"],
  [{ is_decoder: true }, 'is_decoder is true, expected false'],
  [{ add_cross_attention: true }, 'add_cross_attention is true, expected false'],
  [{ pruned_heads: { 0: [1] } }, 'pruned_heads is {"0":[1]}, expected {}'],
  [{ quantization_config: { bits: 4 } }, 'quantization_config is {"bits":4}, expected nothing'],
])('%j is refused', (fields, message) => {
  expect(() => parseJinaBertConfig({ ...ALIBI, ...fields })).toThrow(
    expect.objectContaining({
      code: 'unsupported_architecture',
      message: expect.stringContaining(`jina bert: ${message}`),
    }),
  );
});

test('a width that heads do not divide is refused', () => {
  expect(() => parseJinaBertConfig({ ...ALIBI, hidden_size: 30 })).toThrow(
    expect.objectContaining({ code: 'invalid_model_folder' }),
  );
});
