import type { Tokenizer as NativeTokenizer } from 'tokenizers';

/** Whether two words of a text are encoded apart; a tokenizer that sees a text as one word must always see all of it. */
export async function encodesWordsApart(native: NativeTokenizer): Promise<boolean> {
  const encoding = await native.encode('a b', null, { addSpecialTokens: false });
  return encoding.tokenToWord(0) !== encoding.tokenToWord(encoding.getLength() - 1);
}
