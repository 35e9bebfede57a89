import { expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import { BERT_DEFAULTS } from './bert-config.ts';
import { parseBertLikeConfig } from './bert-like-config.ts';

const parseBertConfig = (config: JsonObject) => parseBertLikeConfig('bert', config, BERT_DEFAULTS);

test('an empty config has the defaults of the reference', () => {
  expect(parseBertConfig({})).toEqual({
    vocab_size: 30522,
    hidden_size: 768,
    num_hidden_layers: 12,
    num_attention_heads: 12,
    intermediate_size: 3072,
    hidden_act: 'gelu',
    max_position_embeddings: 512,
    type_vocab_size: 2,
    layer_norm_eps: 1e-12,
  });
});

test('fields that change nothing at inference are let pass', () => {
  const config = {
    auto_map: null,
    pruned_heads: {},
    use_cache: true,
    chunk_size_feed_forward: 4,
    hidden_dropout_prob: 0.5,
  };
  expect(parseBertConfig(config)).toEqual(parseBertConfig({}));
});

test.each([
  [{ position_embedding_type: 'relative_key' }, 'bert: position_embedding_type is "relative_key", expected "absolute"'],
  [{ position_embedding_type: 'alibi' }, 'position_embedding_type is "alibi"'],
  [{ is_decoder: true }, 'bert: is_decoder is true, expected false'],
  [{ add_cross_attention: true }, 'add_cross_attention is true'],
  [{ pruned_heads: { 3: [0] } }, 'pruned_heads is {"3":[0]}, expected {}'],
  [{ quantization_config: { load_in_8bit: true } }, 'quantization_config is {"load_in_8bit":true}, expected nothing'],
  [{ hidden_act: 'snake' }, "hidden_act is 'snake', expected one of gelu, "],
  [
    { auto_map: { AutoModel: 'jinaai/jina-bert-implementation--modeling_bert.JinaBertModel' } },
    'auto_map is {"AutoModel":"jinaai',
  ],
])('%j is refused by name', (config, message) => {
  expect(() => parseBertConfig(config)).toThrow(
    expect.objectContaining({ code: 'unsupported_architecture', message: expect.stringContaining(message) }),
  );
});

test('heads that do not divide the width are refused', () => {
  expect(() => parseBertConfig({ hidden_size: 30, num_attention_heads: 4 })).toThrow(
    /hidden_size should be a multiple of num_attention_heads, got 30 and 4/,
  );
});
