import type { Tokenizer as NativeTokenizer } from 'tokenizers';
import type { Tokenizer } from '../contracts/tokenizer.ts';
import { listTokens } from './list-tokens.ts';

/** What a tokenizer says of its own ids and texts, whatever the model that reads them. */
export function vocabularyOf(native: NativeTokenizer): Pick<Tokenizer, 'tokenize' | 'decode' | 'tokenTexts'> {
  return {
    tokenize: (texts, addSpecialTokens) => listTokens(native, texts, addSpecialTokens),

    async decode(rows, skipSpecialTokens) {
      return Promise.all(rows.map((ids) => native.decode([...ids], skipSpecialTokens)));
    },

    // An id that the graph has a row for and the tokenizer does not know is named by its number.
    tokenTexts: async (ids) => Array.from(ids, (id) => native.idToToken(id) ?? String(id)),
  };
}
