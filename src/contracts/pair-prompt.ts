/** A part of a prompt that holds the texts; encoded apart from its neighbours. */
export interface PromptPiece {
  /** `{query}` and `{document}` stand for the texts. */
  readonly template: string;
  /** Part of the room for all pieces that this one may take, from 0 to 1; all of it where none is given. */
  readonly maxShare?: number;
}

/**
 * How a reranker that is a language model wants to be asked about a query and a document. Plain JSON: it says so together
 * with the compiled model. Only what lies between prefix and suffix is truncated, at its end.
 */
export interface PairPrompt {
  readonly prefix: string;
  readonly pieces: readonly PromptPiece[];
  readonly suffix: string;
}
