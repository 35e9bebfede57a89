import type { JsonObject } from '../../contracts/json.ts';
import { addedToken, specialTokenName } from './special-token-names.ts';

/**
 * tokenizer.json of BERT's tokenizer, from the lines of vocab.txt.
 * https://github.com/huggingface/transformers/blob/v4.48.3/src/transformers/convert_slow_tokenizer.py#L113
 */
export function wordPieceTokenizer(vocabText: string, config: JsonObject): JsonObject {
  const words = vocabText.replace(/\r?\n$/, '').split(/\r?\n/);
  const vocab = Object.fromEntries(words.map((word, id) => [word, id]));
  const name = (field: string, fallback: string) => specialTokenName(config, field, fallback);
  const cls = name('cls_token', '[CLS]');
  const sep = name('sep_token', '[SEP]');
  const mask = name('mask_token', '[MASK]');
  const unknown = name('unk_token', '[UNK]');
  const special = [name('pad_token', '[PAD]'), unknown, cls, sep, mask];
  const part = (id: string, typeId: number) => ({ SpecialToken: { id, type_id: typeId } });
  const text = (id: 'A' | 'B', typeId: number) => ({ Sequence: { id, type_id: typeId } });
  return {
    version: '1.0',
    added_tokens: special.flatMap((token) => {
      const id = vocab[token];
      return id === undefined ? [] : [addedToken(token, id, token === mask)];
    }),
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: config.tokenize_chinese_chars !== false,
      strip_accents: typeof config.strip_accents === 'boolean' ? config.strip_accents : null,
      lowercase: config.do_lower_case !== false,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [part(cls, 0), text('A', 0), part(sep, 0)],
      pair: [part(cls, 0), text('A', 0), part(sep, 0), text('B', 1), part(sep, 1)],
      special_tokens: Object.fromEntries(
        [cls, sep].map((token) => [token, { id: token, ids: [vocab[token] ?? 0], tokens: [token] }]),
      ),
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: unknown,
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  };
}
