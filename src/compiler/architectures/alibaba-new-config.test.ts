import { expect, test } from 'vitest';
import type { JsonObject } from '../../contracts/json.ts';
import { alibabaGte, alibabaNew } from './alibaba-new.ts';
import { parseAlibabaNewConfig } from './alibaba-new-config.ts';

const DEFAULTS = { vocab_size: 30528, max_position_embeddings: 2048, rope_theta: 10000 };
const parse = (config: JsonObject) => parseAlibabaNewConfig('new', config, DEFAULTS);

test('an empty config has the defaults of the reference', () => {
  expect(parse({})).toEqual({
    vocab_size: 30528,
    hidden_size: 768,
    num_hidden_layers: 12,
    num_attention_heads: 12,
    intermediate_size: 3072,
    hidden_act: 'gelu',
    max_position_embeddings: 2048,
    type_vocab_size: 1,
    layer_norm_eps: 1e-12,
    layer_norm_type: 'layer_norm',
    position_embedding_type: 'rope',
    rope: { rope_type: 'default', rope_theta: 10000 },
    pack_qkv: true,
  });
});

test('the two families differ in their defaults', () => {
  expect(alibabaNew.configure({})).toMatchObject({ vocabularySize: 30528, maxPositions: 2048 });
  expect(alibabaGte.configure({})).toMatchObject({ vocabularySize: 250048, maxPositions: 8192 });
});

test('NTK scaling multiplies the base and divides every frequency', () => {
  const { rope } = parse({ rope_theta: 500, rope_scaling: { type: 'ntk', factor: 8 } });
  expect(rope).toEqual({ rope_type: 'linear', rope_theta: 4000, factor: 8 ** (2 / 64) });
});

test('a factor below 1 scales nothing', () => {
  expect(parse({ rope_scaling: { type: 'ntk', factor: 0.5 } }).rope).toMatchObject({ rope_theta: 10000, factor: 1 });
});

test('how the reference packs its inputs changes nothing', () => {
  const config = {
    auto_map: { AutoModel: 'Alibaba-NLP/new-impl--modeling.NewModel' },
    unpad_inputs: true,
    use_memory_efficient_attention: true,
    logn_attention_clip1: true,
  };
  expect(parse(config)).toEqual(parse({}));
});

test.each([
  [{ logn_attention_scale: true }, 'new: logn_attention_scale is true, expected false'],
  [{ layer_norm_type: 'batch_norm' }, "new: layer_norm_type is 'batch_norm', expected 'layer_norm' or 'rms_norm'"],
  [{ position_embedding_type: 'alibi' }, "position_embedding_type is 'alibi', expected 'rope' or 'absolute'"],
  [{ rope_scaling: { type: 'ntk', factor: 2, mixed_b: 0.5 } }, 'new: rope_scaling: mixed_b is 0.5'],
  [{ rope_scaling: { type: 'su', factor: 2 } }, "rope_type is 'su'"],
  [{ hidden_act: 'snake' }, "hidden_act is 'snake', expected one of gelu, "],
  [{ quantization_config: { bits: 4 } }, 'quantization_config is {"bits":4}'],
])('%j is refused by name', (config, message) => {
  expect(() => parse(config)).toThrow(
    expect.objectContaining({ code: 'unsupported_architecture', message: expect.stringContaining(message) }),
  );
});
