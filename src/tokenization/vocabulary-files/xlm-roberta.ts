import type { JsonObject, JsonValue } from '../../contracts/json.ts';
import type { SentencePieceModel } from './sentence-piece-model.ts';
import { addedToken } from './special-token-names.ts';

/** Ids that fairseq put in front; SentencePiece's own first three pieces are dropped. */
const FIRST = ['<s>', '<pad>', '</s>', '<unk>'];
const DROPPED_PIECES = 3;
const MASK = '<mask>';

/**
 * tokenizer.json of XLM-RoBERTa's tokenizer, from its SentencePiece model.
 * https://github.com/huggingface/transformers/blob/v4.48.3/src/transformers/convert_slow_tokenizer.py#L849
 */
export function xlmRobertaTokenizer({ pieces, charsmap }: SentencePieceModel): JsonObject {
  const vocab: JsonValue[] = [
    ...FIRST.map((piece) => [piece, 0]),
    ...pieces.slice(DROPPED_PIECES).map(({ piece, score }) => [piece, score]),
    [MASK, 0],
  ];
  const special = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  const text = (id: 'A' | 'B') => ({ Sequence: { id, type_id: 0 } });
  const collapse = { type: 'Replace', pattern: { Regex: ' {2,}' }, content: ' ' };
  const table = { type: 'Precompiled', precompiled_charsmap: Buffer.from(charsmap).toString('base64') };
  const metaspace = { type: 'Metaspace', replacement: '\u2581', prepend_scheme: 'always', split: true };
  return {
    version: '1.0',
    added_tokens: [...FIRST.map((token, id) => addedToken(token, id, false)), addedToken(MASK, vocab.length - 1, true)],
    normalizer: { type: 'Sequence', normalizers: charsmap.length === 0 ? [collapse] : [table, collapse] },
    pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' }, metaspace] },
    post_processor: {
      type: 'TemplateProcessing',
      single: [special('<s>'), text('A'), special('</s>')],
      pair: [special('<s>'), text('A'), special('</s>'), special('</s>'), text('B'), special('</s>')],
      special_tokens: {
        '<s>': { id: '<s>', ids: [0], tokens: ['<s>'] },
        '</s>': { id: '</s>', ids: [2], tokens: ['</s>'] },
      },
    },
    decoder: metaspace,
    model: { type: 'Unigram', unk_id: 3, vocab, byte_fallback: false },
  };
}
