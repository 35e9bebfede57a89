import type { Encoding, Tokenizer } from '../contracts/tokenizer.ts';
import { estimateDemand } from './estimate-demand.ts';
import { type RunRequest, runEncodings } from './run-encodings.ts';
import { spread, uniqueTexts } from './unique-texts.ts';

export interface TextsRun extends Omit<RunRequest, 'encode' | 'estimate'> {
  readonly texts: readonly string[];
  /** What each text has beside it: the query of documents. */
  readonly besides?: string;
  /** Gets each of the texts once. */
  readonly encode: (unique: readonly string[]) => Promise<readonly Encoding[]>;
}

export interface TextsResult<T> {
  /** One for each text, in order. */
  readonly results: readonly T[];
  /** Tokens of all texts; one that comes twice counts twice. */
  readonly tokens: number;
}

/** Runs the texts of a request, equal ones once, and makes a result of each row. Rejects as `runEncodings` does. */
export async function runTexts<T>(
  model: Parameters<typeof runEncodings>[0] & { readonly tokenizer: Pick<Tokenizer, 'maxSequenceLength'> },
  { texts, besides, encode, ...request }: TextsRun,
  resultOf: (row: Float32Array, encoding: Encoding | undefined) => T,
): Promise<TextsResult<T>> {
  const { unique, positions } = uniqueTexts(texts);
  const estimate = estimateDemand(unique, model.tokenizer.maxSequenceLength, besides);
  const run = { ...request, estimate, encode: () => encode(unique) };
  const { rows, encodings, lengths } = await runEncodings(model, run);
  const results = rows.map((row, index) => resultOf(row, encodings[index]));
  return {
    results: spread(results, positions),
    tokens: spread(lengths, positions).reduce((sum, length) => sum + length, 0),
  };
}
