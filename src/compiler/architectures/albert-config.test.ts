import { expect, test } from 'vitest';
import { albertLayers, parseAlbertConfig } from './albert-config.ts';

test('an empty config has the defaults of the reference', () => {
  expect(parseAlbertConfig({})).toMatchObject({
    vocab_size: 30000,
    embedding_size: 128,
    hidden_size: 4096,
    num_hidden_layers: 12,
    num_hidden_groups: 1,
    num_attention_heads: 64,
    intermediate_size: 16384,
    inner_group_num: 1,
    hidden_act: 'gelu_new',
    type_vocab_size: 2,
    layer_norm_eps: 1e-12,
  });
});

// [num_hidden_layers, num_hidden_groups, inner_group_num] -> group.inner of each layer in turn
test.each([
  [3, 1, 1, '0.0 0.0 0.0'],
  [5, 2, 1, '0.0 0.0 0.0 1.0 1.0'],
  [2, 1, 2, '0.0 0.1 0.0 0.1'],
  [3, 2, 2, '0.0 0.1 0.0 0.1 1.0 1.1'],
  [4, 4, 1, '0.0 1.0 2.0 3.0'],
])('%i layers of %i groups of %i are %s', (layers, groups, inner, expected) => {
  const config = parseAlbertConfig({
    num_hidden_layers: layers,
    num_hidden_groups: groups,
    inner_group_num: inner,
  });
  expect(
    albertLayers(config)
      .map((layer) => `${layer.group}.${layer.inner}`)
      .join(' '),
  ).toBe(expected);
});

test.each([
  [{ position_embedding_type: 'relative_key' }, 'unsupported_architecture', 'albert: position_embedding_type is'],
  [{ inner_group_num: 0 }, 'invalid_model_folder', "field 'inner_group_num' should be a positive whole number, got 0"],
])('%j is refused by name', (config, code, message) => {
  expect(() => parseAlbertConfig(config)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(message) }),
  );
});
