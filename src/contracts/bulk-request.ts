/** What is computed for each row of a file. */
export type BulkTask =
  | { readonly kind: 'embed'; readonly textField: string }
  | {
      readonly kind: 'rerank';
      readonly queryField: string;
      readonly documentField: string;
      /** Logits instead of scores in 0..1. */
      readonly rawScores: boolean;
    };

/** A whole file of rows to be computed into another file. */
export interface BulkRequest {
  readonly task: BulkTask;
  readonly input: string;
  /** Left out, what the ending of its name says. */
  readonly inputFormat: string | undefined;
  readonly output: string;
  /** Fields of the input that go into the output, where a row has them. */
  readonly keep: readonly string[];
  /** Replaces an output that is there. */
  readonly overwrite: boolean;
}
