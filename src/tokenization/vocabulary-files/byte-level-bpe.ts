import type { JsonObject, JsonValue } from '../../contracts/json.ts';
import { addedToken, specialTokenName } from './special-token-names.ts';

/**
 * tokenizer.json of RoBERTa's tokenizer, from vocab.json and merges.txt.
 * https://github.com/huggingface/transformers/blob/v4.48.3/src/transformers/convert_slow_tokenizer.py#L409
 */
export function byteLevelBpeTokenizer(vocab: JsonObject, mergesText: string, config: JsonObject): JsonObject {
  const name = (field: string, fallback: string) => specialTokenName(config, field, fallback);
  const cls = name('cls_token', '<s>');
  const sep = name('sep_token', '</s>');
  const mask = name('mask_token', '<mask>');
  const special = new Set([cls, name('pad_token', '<pad>'), sep, name('unk_token', '<unk>'), mask]);
  const idOf = (token: string): number => (typeof vocab[token] === 'number' ? vocab[token] : 0);
  const addPrefixSpace = config.add_prefix_space === true;
  const merges: JsonValue[] = mergesText
    .split(/\r?\n/)
    .filter((line, index) => line !== '' && !(index === 0 && line.startsWith('#version')))
    .map((line) => line.split(' '));
  return {
    version: '1.0',
    added_tokens: [...special]
      .filter((token) => typeof vocab[token] === 'number')
      .map((token) => addedToken(token, idOf(token), token === mask)),
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: addPrefixSpace, trim_offsets: true, use_regex: true },
    post_processor: {
      type: 'RobertaProcessing',
      sep: [sep, idOf(sep)],
      cls: [cls, idOf(cls)],
      trim_offsets: true,
      add_prefix_space: addPrefixSpace,
    },
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: '',
      end_of_word_suffix: '',
      fuse_unk: false,
      byte_fallback: false,
      vocab,
      merges,
    },
  };
}
