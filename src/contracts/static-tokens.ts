/**
 * How texts become ids for a table of vectors without a transformer: without special tokens, and with an id of its own for a
 * text that has no tokens. Plain JSON.
 */
export interface StaticTokens {
  /** Relative to the model folder. */
  readonly tokenizerFile: string;
  /** The row of zeros that stands for a text without tokens. */
  readonly emptyTextId: number;
  /** Only by model2vec's rule: drop unknown tokens, and keep at most so many, with as many characters as they mostly have. */
  readonly model2vecMaxTokens?: number;
}
