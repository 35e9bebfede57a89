import type { Encoding } from '../contracts/tokenizer.ts';
import { type RunRequest, runEncodings } from './run-encodings.ts';
import { spread, uniqueTexts } from './unique-texts.ts';

export interface TextsRun extends Omit<RunRequest, 'encode'> {
  readonly texts: readonly string[];
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
  model: Parameters<typeof runEncodings>[0],
  { texts, encode, ...request }: TextsRun,
  resultOf: (row: Float32Array, encoding: Encoding | undefined) => T,
): Promise<TextsResult<T>> {
  const { unique, positions } = uniqueTexts(texts);
  const { rows, encodings, lengths } = await runEncodings(model, { ...request, encode: () => encode(unique) });
  const results = rows.map((row, index) => resultOf(row, encodings[index]));
  return {
    results: spread(results, positions),
    tokens: spread(lengths, positions).reduce((sum, length) => sum + length, 0),
  };
}
