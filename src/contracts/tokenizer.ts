/** The ids that enter the model for one item: special tokens included, already truncated. Equal lengths. */
export interface Encoding {
  readonly ids: Int32Array;
  readonly typeIds: Int32Array;
}

/**
 * Which end of an item that is too long is cut off; `none` leaves it whole, for the caller to refuse, up to
 * `COUNTED_LIMITS` times the limit: counting all tokens of a vast text would take gigabytes.
 */
export type Truncation = 'left' | 'right' | 'none';

export const COUNTED_LIMITS = 16;

export interface EncodeOptions {
  /** The model's own side where it is absent. */
  readonly truncation?: Truncation | undefined;
}

/** One id of a text, and where it comes from. */
export interface Token {
  readonly id: number;
  /** The part of the text, or the name of a special token. */
  readonly text: string;
  /** Added around the text, not read from it. */
  readonly special: boolean;
  /** UTF-8 bytes of the text; `undefined` for special tokens. */
  readonly start: number | undefined;
  readonly stop: number | undefined;
}

/** Text to ids, off the main thread. Thread-safe; its state never changes after load. */
export interface Tokenizer {
  /** Truncation limit in tokens, special tokens included. */
  readonly maxSequenceLength: number;
  encode(texts: readonly string[], options?: EncodeOptions): Promise<readonly Encoding[]>;
  /** Encodes the query once and joins it with each document; truncates the longer side first. */
  encodePairs(query: string, documents: readonly string[], options?: EncodeOptions): Promise<readonly Encoding[]>;
  /** Ids of the vocabulary as they are; where they are cut, special tokens at their ends stay. */
  encodeIds(ids: readonly Int32Array[], options?: EncodeOptions): Promise<readonly Encoding[]>;
  /** The ids of each text one by one, not truncated. */
  tokenize(texts: readonly string[], addSpecialTokens: boolean): Promise<readonly (readonly Token[])[]>;
  /** The text of each row of ids. */
  decode(ids: readonly Int32Array[], skipSpecialTokens: boolean): Promise<readonly string[]>;
  /** The vocabulary's entries of these ids: `[PAD]`, `##ing`. */
  tokenTexts(ids: Int32Array): Promise<readonly string[]>;
}
