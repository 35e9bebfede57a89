import { expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import { parseModernBertConfig } from './modernbert-config.ts';

const thetasOf = (config: JsonObject) => {
  const { globalRope, localRope } = parseModernBertConfig(config);
  return [globalRope.rope_theta, localRope.rope_theta];
};

test('an empty config has the defaults of the reference', () => {
  const { globalLayers, ...others } = parseModernBertConfig({});
  expect(others).toEqual({
    vocab_size: 50368,
    hidden_size: 768,
    intermediate_size: 1152,
    num_hidden_layers: 22,
    num_attention_heads: 12,
    hidden_activation: 'gelu',
    max_position_embeddings: 8192,
    norm_eps: 1e-5,
    norm_bias: false,
    attention_bias: false,
    mlp_bias: false,
    local_attention: 128,
    globalRope: { rope_type: 'default', rope_theta: 160000 },
    localRope: { rope_type: 'default', rope_theta: 10000 },
    classifier_pooling: 'cls',
    classifier_bias: false,
    decoder_bias: true,
    classifier_activation: 'gelu',
  });
  expect([...globalLayers.keys()].filter((index) => globalLayers[index])).toEqual([0, 3, 6, 9, 12, 15, 18, 21]);
});

test.each<[JsonObject, readonly number[]]>([
  [{ global_rope_theta: 500, local_rope_theta: 7 }, [500, 7]],
  [{ global_rope_theta: 500, local_rope_theta: null }, [500, 500]],
  [{ rope_parameters: { full_attention: { rope_theta: 5 }, sliding_attention: { rope_theta: 6 } } }, [5, 6]],
  [{ global_rope_theta: 500, rope_parameters: { full_attention: { rope_type: 'default' } } }, [500, 10000]],
])('%j turns global and local layers by bases %j', (config, thetas) => {
  expect(thetasOf(config)).toEqual(thetas);
});

test('one rope_scaling is for all layers', () => {
  const { globalRope, localRope } = parseModernBertConfig({ rope_scaling: { rope_type: 'linear', factor: 4 } });
  expect(globalRope).toEqual({ rope_type: 'linear', rope_theta: 160000, factor: 4 });
  expect(localRope).toEqual({ rope_type: 'linear', rope_theta: 10000, factor: 4 });
});

test('layers may be listed instead of counted', () => {
  const config = { num_hidden_layers: 2, layer_types: ['sliding_attention', 'full_attention'] };
  expect(parseModernBertConfig(config).globalLayers).toEqual([false, true]);
});

test.each([
  [{ num_hidden_layers: 1, layer_types: ['chunked_attention'] }, "layer_types is 'chunked_attention', expected"],
  [{ classifier_pooling: 'max' }, "modernbert: classifier_pooling is 'max', expected 'cls' or 'mean'"],
  [{ hidden_activation: 'snake' }, "hidden_activation is 'snake', expected one of gelu, "],
  [{ rope_scaling: { rope_type: 'longrope' } }, "rope_type is 'longrope'"],
  [{ quantization_config: { bits: 4 } }, 'quantization_config is {"bits":4}'],
])('%j is refused by name', (config, message) => {
  expect(() => parseModernBertConfig(config)).toThrow(
    expect.objectContaining({ code: 'unsupported_architecture', message: expect.stringContaining(message) }),
  );
});

test('a list of another number of layers is an error of the folder', () => {
  expect(() => parseModernBertConfig({ num_hidden_layers: 3, layer_types: ['full_attention'] })).toThrow(
    /layer_types should be a list of 3 layers, got \["full_attention"\]/,
  );
});
