import { expect, test } from 'vitest';
import type { JsonObject } from '../../../contracts/json.ts';
import { parsePooling } from './parse-pooling.ts';

const off = { pooling_mode_mean_tokens: false };
const parse = (config: JsonObject | undefined) => parsePooling({ type: 'Pooling', path: '1_Pooling', config }, 32);

test.each<[JsonObject, string]>([
  [{ word_embedding_dimension: 32, pooling_mode_cls_token: true, pooling_mode_mean_tokens: false }, 'cls'],
  [{ word_embedding_dimension: 32, pooling_mode_cls_token: false, pooling_mode_mean_tokens: true }, 'mean'],
  [{ word_embedding_dimension: 32 }, 'mean'],
  [{ embedding_dimension: 32, pooling_mode: 'mean', include_prompt: true }, 'mean'],
  [{ pooling_mode: 'cls', pooling_mode_mean_tokens: true }, 'cls'],
  [{ pooling_mode: 'lasttoken' }, 'lasttoken'],
  [{ ...off, pooling_mode_max_tokens: true }, 'max'],
  [{ ...off, pooling_mode_mean_sqrt_len_tokens: true }, 'mean_sqrt_len_tokens'],
  [{ ...off, pooling_mode_weightedmean_tokens: true }, 'weightedmean'],
  [{ ...off, pooling_mode_lasttoken: true, pooling_mode_cls_token: true }, 'cls+lasttoken'],
  [{ pooling_mode_max_tokens: true }, 'max+mean'],
  [{ pooling_mode: ['mean', 'max'] }, 'max+mean'],
])('%j pools by %s', (config, mode) => {
  expect(parse(config).pooling.mode).toBe(mode);
  expect(parse(config).width).toBe(32 * mode.split('+').length);
});

test.each<[JsonObject, string]>([
  [
    { pooling_mode: 'attention' },
    "1_Pooling/config.json: pooling mode is 'attention', expected one or more of 'cls', ",
  ],
  [{ pooling_mode: ['cls', 'cls'] }, "pooling mode is 'cls' and 'cls'"],
  [off, 'pooling mode is nothing'],
  [{ include_prompt: false }, 'include_prompt is false, expected true'],
])('%j is not supported, by name', (config, message) => {
  expect(() => parse(config)).toThrow(
    expect.objectContaining({ code: 'unsupported_architecture', message: expect.stringContaining(message) }),
  );
});

test.each<[JsonObject | undefined, string]>([
  [undefined, 'modules.json lists Pooling, but 1_Pooling/config.json is missing'],
  [{ word_embedding_dimension: 31 }, '1_Pooling/config.json: word_embedding_dimension is 31, expected 32'],
  [{ embedding_dimension: 64 }, 'embedding_dimension is 64, expected 32'],
  [{ pooling_mode_cls_token: 'yes' }, "field 'pooling_mode_cls_token' should be true or false"],
])('%j is an error of the folder', (config, message) => {
  expect(() => parse(config)).toThrow(
    expect.objectContaining({ code: 'invalid_model_folder', message: expect.stringContaining(message) }),
  );
});
