/** From when to when, in ms on the clock of `performance.now()`. */
export interface Period {
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * What becomes known of a request's work while it is done, for its log line, its metrics and its trace: each room fills in
 * its own part. Numbers and the service's own names, never texts, keys or a client's words.
 */
export interface RequestWork {
  /** Served name of the model that was chosen. */
  model?: string;
  /** Texts or pairs, and the ids that they are to the model, special tokens included. */
  items?: number;
  tokens?: number;
  /** Of the different ones, those whose result was known already. */
  cachedItems?: number;
  /** In the tokenizer. */
  tokenize?: Period;
  /** In the queue until the first item was in a run. Neither this nor `run` where all items were known already. */
  wait?: Period;
  /** From the first item's run to the last item's result. */
  run?: Period;
}
