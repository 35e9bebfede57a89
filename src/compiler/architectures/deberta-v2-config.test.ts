import { expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import { parseDebertaV2Config } from './deberta-v2-config.ts';

test('an empty config has the defaults of the reference', () => {
  expect(parseDebertaV2Config({})).toEqual({
    vocab_size: 128100,
    hidden_size: 1536,
    embedding_size: 1536,
    num_hidden_layers: 24,
    num_attention_heads: 24,
    intermediate_size: 6144,
    hidden_act: 'gelu',
    max_position_embeddings: 512,
    type_vocab_size: 0,
    layer_norm_eps: 1e-7,
    position_biased_input: true,
    relative_attention: false,
    pos_att_type: { c2p: false, p2c: false },
    share_att_key: false,
    normalizedPositions: false,
    relativePositions: { buckets: 0, maxRelative: 512 },
    pooler_hidden_act: 'gelu',
  });
});

test.each(['c2p|p2c', ' P2C | c2p ', ['c2p', 'p2c']])('pos_att_type %j names both terms', (pos_att_type) => {
  expect(parseDebertaV2Config({ pos_att_type }).pos_att_type).toEqual({ c2p: true, p2c: true });
});

test.each<[JsonObject, object]>([
  [
    { position_buckets: 256, max_relative_positions: -1 },
    { buckets: 256, maxRelative: 512 },
  ],
  [
    { position_buckets: -1, max_relative_positions: 10 },
    { buckets: 0, maxRelative: 10 },
  ],
])('%j is followed', (config, relativePositions) => {
  expect(parseDebertaV2Config(config)).toMatchObject({ relativePositions });
});

test.each([
  [{ conv_kernel_size: 3 }, 'deberta-v2: conv_kernel_size is 3, expected 0'],
  [{ pos_att_type: 'c2p|p2p' }, "deberta-v2: pos_att_type is 'p2p', expected 'c2p' and 'p2c'"],
  [{ pos_att_type: 3 }, 'pos_att_type is 3, expected a list of names'],
  [{ norm_rel_ebd: 'batch_norm' }, "norm_rel_ebd is 'batch_norm', expected 'none' or 'layer_norm'"],
  [{ attention_head_size: 32 }, 'attention_head_size is 32, expected 64'],
  [{ pooler_hidden_size: 768 }, 'pooler_hidden_size is 768, expected 1536'],
  [{ pooler_hidden_act: 'snake' }, "pooler_hidden_act is 'snake', expected one of gelu, "],
  [{ quantization_config: { bits: 4 } }, 'quantization_config is {"bits":4}'],
])('%j is refused by name', (config, message) => {
  expect(() => parseDebertaV2Config(config)).toThrow(
    expect.objectContaining({ code: 'unsupported_architecture', message: expect.stringContaining(message) }),
  );
});

test('heads that do not divide the width are refused', () => {
  expect(() => parseDebertaV2Config({ hidden_size: 30, num_attention_heads: 4 })).toThrow(
    /hidden_size should be a multiple of num_attention_heads, got 30 and 4/,
  );
});
