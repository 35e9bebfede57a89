/** The ids that enter the model for one item: special tokens included, already truncated. Equal lengths. */
export interface Encoding {
  readonly ids: Int32Array;
  readonly typeIds: Int32Array;
}

/** Text to ids, off the main thread. Thread-safe; its state never changes after load. */
export interface Tokenizer {
  /** Truncation limit in tokens, special tokens included. */
  readonly maxSequenceLength: number;
  encode(texts: readonly string[]): Promise<readonly Encoding[]>;
  /** Encodes the query once and joins it with each document; truncates the longer side first. */
  encodePairs(query: string, documents: readonly string[]): Promise<readonly Encoding[]>;
}
