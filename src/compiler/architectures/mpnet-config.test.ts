import { expect, test } from 'vitest';
import { mpnet } from './mpnet.ts';
import { parseMPNetConfig } from './mpnet-config.ts';

test('an empty config has the defaults of the reference', () => {
  expect(parseMPNetConfig({})).toEqual({
    vocab_size: 30527,
    hidden_size: 768,
    num_hidden_layers: 12,
    num_attention_heads: 12,
    intermediate_size: 3072,
    hidden_act: 'gelu',
    max_position_embeddings: 512,
    layer_norm_eps: 1e-12,
    relative_attention_num_buckets: 32,
  });
});

test('two rows of the position table are no positions, whatever pad_token_id says', () => {
  expect(mpnet.configure({ max_position_embeddings: 514, pad_token_id: 0 }).maxPositions).toBe(512);
});

test.each([
  [
    { relative_attention_num_buckets: 31 },
    'unsupported_architecture',
    'mpnet: relative_attention_num_buckets is 31, expected at least 32',
  ],
  [{ is_decoder: true }, 'unsupported_architecture', 'mpnet: is_decoder is true'],
  [{ max_position_embeddings: 2 }, 'invalid_model_folder', 'max_position_embeddings should be over 2, got 2'],
])('%j is refused by name', (config, code, message) => {
  expect(() => parseMPNetConfig(config)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  );
});
