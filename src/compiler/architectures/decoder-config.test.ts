import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import type { DecoderConfig } from './decoder-config.ts';
import { parseGemma2Config } from './gemma2.ts';
import { parseGemma3TextConfig } from './gemma3-text.ts';
import { parseLlamaConfig } from './llama.ts';
import { parseMistralConfig } from './mistral.ts';
import { parseQwen2Config } from './qwen2.ts';
import { parseQwen3Config } from './qwen3.ts';

const SIZES = {
  hidden_size: 32,
  num_hidden_layers: 4,
  num_attention_heads: 4,
  num_key_value_heads: 2,
  max_position_embeddings: 64,
};

const reaches = ({ layers }: DecoderConfig) => layers.map(({ reach }) => reach);

type Parse = (json: JsonObject) => DecoderConfig;
const FAMILIES: readonly [string, Parse][] = [
  ['llama', parseLlamaConfig],
  ['mistral', parseMistralConfig],
  ['qwen2', parseQwen2Config],
  ['qwen3', parseQwen3Config],
  ['gemma2', parseGemma2Config],
  ['gemma3_text', parseGemma3TextConfig],
];

describe.each(FAMILIES)('%s', (family, parse) => {
  test.each([
    [{ quantization_config: { bits: 4 } }, 'quantization_config is {"bits":4}, expected nothing'],
    [{ auto_map: { AutoModel: 'modeling.Model' } }, 'auto_map is {"AutoModel":"modeling.Model"}, expected none, or'],
    [{ rope_scaling: { type: 'longrope', factor: 2 } }, "rope_type is 'longrope'"],
    [{ hidden_act: 'snake', hidden_activation: 'snake' }, "'snake', expected one of gelu"],
  ])('%o is refused by name', (fields, message) => {
    expect(() => parse({ ...SIZES, ...fields })).toThrow(
      expect.objectContaining({ code: 'unsupported_architecture', message: expect.stringContaining(message) }),
    );
    expect(() => parse({ ...SIZES, ...fields })).toThrow(new RegExp(`^${family}: `));
  });

  test('code of the repository is no obstacle where the config states the direction', () => {
    const config = { ...SIZES, auto_map: { AutoModel: 'modeling.Model' }, attn_logit_softcapping: null };
    expect(parse({ ...config, is_causal: false }).causal).toBe(false);
    expect(parse({ ...config, is_causal: true }).causal).toBe(true);
  });

  test.each([
    [{ num_key_value_heads: 3 }, 'num_attention_heads should be a multiple of num_key_value_heads, got 4 and 3'],
    [{ head_dim: 7 }, 'head_dim should be even, got 7'],
  ])('%o does not fit', (fields, message) => {
    expect(() => parse({ ...SIZES, ...fields })).toThrow(message);
  });
});

test.each(FAMILIES.slice(0, 4))('%s takes no flag of Gemma', (_family, parse) => {
  expect(() => parse({ ...SIZES, use_bidirectional_attention: true })).toThrow(
    /use_bidirectional_attention is true, expected false/,
  );
});

test('Llama has biases where the config says so, and one key for each head when it names no number', () => {
  const { num_key_value_heads: _heads, ...sizes } = SIZES;
  expect(parseLlamaConfig(sizes)).toMatchObject({
    bias: { queryKeyValue: false, output: false, feedForward: false },
    num_key_value_heads: 4,
    head_dim: 8,
  });
  expect(parseLlamaConfig({ ...SIZES, attention_bias: true, mlp_bias: true }).bias).toEqual({
    queryKeyValue: true,
    output: true,
    feedForward: true,
  });
});

test('Mistral slides in every layer unless the window is null; one that no sequence exceeds is none', () => {
  expect(reaches(parseMistralConfig({ ...SIZES, sliding_window: 8 }))).toEqual([7, 7, 7, 7]);
  expect(reaches(parseMistralConfig({ ...SIZES, sliding_window: 8, is_causal: false }))).toEqual([8, 8, 8, 8]);
  expect(reaches(parseMistralConfig({ ...SIZES, sliding_window: null }))).toEqual(new Array(4).fill(undefined));
  expect(reaches(parseMistralConfig({ ...SIZES, max_position_embeddings: 8192 }))).toEqual(new Array(4).fill(4095));
  expect(reaches(parseMistralConfig({ ...SIZES, sliding_window: 64 }))).toEqual(new Array(4).fill(undefined));
});

describe.each([
  ['qwen2', parseQwen2Config],
  ['qwen3', parseQwen3Config],
])('%s', (_family, parse) => {
  test('slides from max_window_layers on, and only where use_sliding_window says so', () => {
    const config = { ...SIZES, sliding_window: 8, max_window_layers: 2 };
    expect(reaches(parse({ ...config, use_sliding_window: true }))).toEqual([undefined, undefined, 7, 7]);
    expect(reaches(parse(config))).toEqual(new Array(4).fill(undefined));
  });

  test('layer_types decides alone', () => {
    const layer_types = ['sliding_attention', 'full_attention', 'full_attention', 'sliding_attention'];
    const config = { ...SIZES, sliding_window: 8, layer_types };
    expect(reaches(parse({ ...config, use_sliding_window: true }))).toEqual([7, undefined, undefined, 7]);
    expect(() => parse(config)).toThrow(/layer_types is sliding_attention in some layers/);
    expect(() => parse({ ...SIZES, layer_types: ['chunked_attention', 'a', 'b', 'c'] })).toThrow(
      /layer_types is "chunked_attention", expected full_attention or sliding_attention/,
    );
    expect(() => parse({ ...SIZES, layer_types: ['full_attention'] })).toThrow(/should be a list of 4 types/);
  });
});

test('Qwen2 has biases on query, key and value; Qwen3 norms their heads, 128 wide unless stated', () => {
  expect(parseQwen2Config(SIZES)).toMatchObject({
    headNorms: false,
    head_dim: 8,
    bias: { queryKeyValue: true, output: false },
  });
  expect(parseQwen3Config(SIZES)).toMatchObject({
    headNorms: true,
    head_dim: 128,
    bias: { queryKeyValue: false, output: false },
  });
});

test('Gemma 2 slides in every second layer, caps its scores and scales by query_pre_attn_scalar', () => {
  const config = parseGemma2Config({ ...SIZES, sliding_window: 8, query_pre_attn_scalar: 16 });
  expect(reaches(config)).toEqual([7, undefined, 7, undefined]);
  expect(config).toMatchObject({ scoreSoftcap: 50, scoreScale: 0.25, embeddingScale: Math.sqrt(32), padTokenId: 0 });
  expect(parseGemma2Config({ ...SIZES, attn_logit_softcapping: null }).scoreSoftcap).toBeUndefined();
});

test.each([
  [{ is_causal: false }, /attn_logit_softcapping is 50, expected null where is_causal is false/],
  [{ head_dim: 12 }, /attn_logit_softcapping is 50, expected null where is_causal is false or head_dim/],
  [{ use_bidirectional_attention: true }, /use_bidirectional_attention is true, expected false/],
])('Gemma 2 with %o is refused', (fields, message) => {
  expect(() => parseGemma2Config({ ...SIZES, ...fields })).toThrow(message);
});

test('Gemma 3 looks half a window to each side where attention goes both ways', () => {
  const config = { ...SIZES, sliding_window: 9, sliding_window_pattern: 2 };
  expect(reaches(parseGemma3TextConfig(config))).toEqual([8, undefined, 8, undefined]);
  expect(reaches(parseGemma3TextConfig({ ...config, use_bidirectional_attention: true }))).toEqual([
    4,
    undefined,
    4,
    undefined,
  ]);
});

test('Gemma 3 turns sliding layers by a base of their own, which no scaling changes', () => {
  const scaled = { ...SIZES, head_dim: 4, sliding_window_pattern: 2, rope_scaling: { rope_type: 'linear', factor: 8 } };
  const [sliding, full] = parseGemma3TextConfig(scaled).layers.map(({ rotary }) => rotary.inverseFrequencies);
  expect(sliding?.[1]).toBeCloseTo(10_000 ** -0.5, 8);
  expect(full?.[0]).toBe(1 / 8);
  expect(full?.[1]).toBeCloseTo(1_000_000 ** -0.5 / 8, 8);
  const nested = { full_attention: { rope_theta: 400 }, sliding_attention: { rope_theta: 100 } };
  const newer = parseGemma3TextConfig({ ...SIZES, head_dim: 4, sliding_window_pattern: 2, rope_parameters: nested });
  expect(newer.layers[0]?.rotary.inverseFrequencies[1]).toBeCloseTo(0.1, 7);
  expect(newer.layers[1]?.rotary.inverseFrequencies[1]).toBeCloseTo(0.05, 7);
});

test.each([
  [null, undefined],
  [-1, undefined],
  [0, 0],
  [7, 7],
])('pad_token_id %j is %j', (stated, expected) => {
  expect(parseLlamaConfig({ ...SIZES, pad_token_id: stated }).padTokenId).toBe(expected);
});
