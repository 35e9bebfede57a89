import { expect, test } from 'vitest';
import { parseDistilBertConfig } from './distilbert-config.ts';

test('an empty config has the defaults of the reference', () => {
  expect(parseDistilBertConfig({})).toEqual({
    vocab_size: 30522,
    max_position_embeddings: 512,
    n_layers: 6,
    n_heads: 12,
    dim: 768,
    hidden_dim: 3072,
    activation: 'gelu',
  });
});

test('the second name of a field wins over the first', () => {
  const config = { dim: 8, hidden_size: 32, n_heads: 1, num_attention_heads: 4, n_layers: 2, num_hidden_layers: 3 };
  expect(parseDistilBertConfig(config)).toMatchObject({ dim: 32, n_heads: 4, n_layers: 3 });
});

test.each([
  [{ activation: 'snake' }, "distilbert: activation is 'snake', expected one of gelu, "],
  [{ pruned_heads: { 3: [0] } }, 'distilbert: pruned_heads is {"3":[0]}, expected {}'],
])('%j is refused by name', (config, message) => {
  expect(() => parseDistilBertConfig(config)).toThrow(
    expect.objectContaining({ code: 'unsupported_architecture', message: expect.stringContaining(message) }),
  );
});

test('heads that do not divide the width are refused', () => {
  expect(() => parseDistilBertConfig({ dim: 30, n_heads: 4 })).toThrow(
    /dim should be a multiple of n_heads, got 30 and 4/,
  );
});
