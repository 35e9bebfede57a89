import { expect, test } from 'vitest';
import { readTruncation } from './read-truncation.ts';

test.each([
  ['the position table, when no file states a limit', undefined, undefined, 512],
  ['sentence_bert_config.json', { max_seq_length: 256 }, { model_max_length: 512 }, 256],
  [
    'sentence_bert_config.json over a smaller tokenizer_config.json',
    { max_seq_length: 256 },
    { model_max_length: 128 },
    256,
  ],
  ['tokenizer_config.json, when the other has null', { max_seq_length: null }, { model_max_length: 128 }, 128],
  ['tokenizer_config.json, when the other lacks the key', { transformer_task: 'x' }, { model_max_length: 128 }, 128],
  ['the position table, when the limit is 1e30', undefined, { model_max_length: 1e30 }, 512],
  ['the position table, when a file states more', { max_seq_length: 8192 }, undefined, 512],
])('the limit comes from %s', (_name, sentenceBertConfig, tokenizerConfig, expected) => {
  expect(readTruncation({ sentenceBertConfig, tokenizerConfig }, 512)).toEqual({
    maxSequenceLength: expected,
    side: 'right',
  });
});

test('the side comes from tokenizer_config.json', () => {
  const tokenizerConfig = { truncation_side: 'left' };
  expect(readTruncation({ sentenceBertConfig: undefined, tokenizerConfig }, 8).side).toBe('left');
});

test.each([
  ['a text as limit', { max_seq_length: '512' }, undefined, `'max_seq_length' to be a positive whole number`],
  ['a negative limit', undefined, { model_max_length: -1 }, 'got -1'],
  ['an unknown side', undefined, { truncation_side: 'middle' }, `'left' or 'right', got "middle"`],
])('refuses %s', (_name, sentenceBertConfig, tokenizerConfig, message) => {
  const read = () => readTruncation({ sentenceBertConfig, tokenizerConfig }, 512);
  expect(read).toThrow(expect.objectContaining({ code: 'invalid_model_folder' }));
  expect(read).toThrow(message);
});
