import { expect, test } from 'vitest';
import { t5 } from './t5.ts';
import { parseT5Config } from './t5-config.ts';

test('fields that are missing take the defaults of the reference', () => {
  expect(parseT5Config({})).toEqual({
    vocab_size: 32128,
    d_model: 512,
    d_kv: 64,
    d_ff: 2048,
    num_layers: 6,
    num_heads: 8,
    relative_attention_num_buckets: 32,
    relative_attention_max_distance: 128,
    layer_norm_epsilon: 1e-6,
    dense_act_fn: 'relu',
    is_gated_act: false,
  });
});

test.each([
  [{ feed_forward_proj: 'relu' }, 'relu', false],
  [{ feed_forward_proj: 'gelu' }, 'gelu', false],
  [{ feed_forward_proj: 'gated-gelu' }, 'gelu_new', true],
  [{ feed_forward_proj: 'gated-silu' }, 'silu', true],
  [{ feed_forward_proj: 'gated-gelu', dense_act_fn: 'gelu', is_gated_act: true }, 'gelu', true],
])('%j means %s, gated: %s', (config, dense_act_fn, is_gated_act) => {
  expect(parseT5Config(config)).toMatchObject({ dense_act_fn, is_gated_act });
});

test.each([
  [{ feed_forward_proj: 'linear-gelu' }, "t5: feed_forward_proj is 'linear-gelu', expected the name of an activation"],
  [{ feed_forward_proj: 'gated-gelu-new' }, "t5: feed_forward_proj is 'gated-gelu-new', expected"],
  [{ feed_forward_proj: 'gated-snake' }, "t5: dense_act_fn is 'snake', expected one of gelu"],
  [{ relative_attention_num_buckets: 2 }, 't5: relative_attention_num_buckets is 2, expected at least 4'],
  [{ relative_attention_max_distance: 8 }, 't5: relative_attention_max_distance is 8, expected more than 8'],
  [{ is_decoder: true }, 't5: is_decoder is true, expected false'],
  [{ auto_map: { AutoModel: 'x.Y' } }, 't5: auto_map is {"AutoModel":"x.Y"}, expected nothing'],
  [{ quantization_config: { bits: 4 } }, 't5: quantization_config is {"bits":4}, expected nothing'],
])('%j is refused', (config, message) => {
  expect(() => parseT5Config(config)).toThrow(
    expect.objectContaining({ code: 'unsupported_architecture', message: expect.stringContaining(message) }),
  );
});

test('n_positions is no limit, as the model has no table of positions', () => {
  expect(t5.configure({ n_positions: 512 }).maxPositions).toBe(8192);
});
