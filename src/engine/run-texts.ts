import { ServiceError } from '../contracts/errors.ts';
import type { ItemRows } from '../contracts/scheduler.ts';
import { COUNTED_LIMITS, type Encoding, type Tokenizer, type Truncation } from '../contracts/tokenizer.ts';
import { estimateDemand, type Sized } from './estimate-demand.ts';
import { type RunRequest, runEncodings } from './run-encodings.ts';
import { spread, uniqueItems } from './unique-items.ts';

export interface TextsRun<Item> extends Omit<RunRequest, 'encode' | 'estimate'> {
  readonly texts: readonly Item[];
  /** What each text has beside it: the query of documents. */
  readonly besides?: string;
  readonly truncation: Truncation | undefined;
  /** Gets each of the texts once. */
  readonly encode: (unique: readonly Item[]) => Promise<readonly Encoding[]>;
}

export interface TextsResult<T> {
  /** One for each text, in order. */
  readonly results: readonly T[];
  /** Tokens of all texts; one that comes twice counts twice. */
  readonly tokens: number;
}

type Model = Parameters<typeof runEncodings>[0] & { readonly tokenizer: Pick<Tokenizer, 'maxSequenceLength'> };

/**
 * Runs the texts of a request, equal ones once, and makes a result of each one's rows. Rejects as `runEncodings` does, and
 * with `invalid_request` when a text is too long and must not be cut.
 */
export async function runTexts<Item extends Sized, T>(
  model: Model,
  { texts, besides, encode, truncation, ...request }: TextsRun<Item>,
  resultOf: (rows: ItemRows, encoding: Encoding | undefined) => T,
): Promise<TextsResult<T>> {
  const { unique, positions } = uniqueItems(texts);
  const { work = {} } = request.context;
  work.items = texts.length;
  let tokens = 0;
  const encodeChecked = async () => {
    const encodings = await encode(unique);
    tokens = spread(encodings, positions).reduce((sum, { ids }) => sum + ids.length, 0);
    work.tokens = tokens;
    if (truncation === 'none') refuseTooLong(encodings, positions, model.tokenizer.maxSequenceLength, request.param);
    return encodings;
  };
  const estimate = estimateDemand(unique, model.tokenizer.maxSequenceLength, besides);
  const run = { ...request, estimate, encode: encodeChecked };
  const { items, encodings } = await runEncodings(model, run);
  const results = items.map((rows, index) => resultOf(rows, encodings[index]));
  return { results: spread(results, positions), tokens };
}

function refuseTooLong(
  encodings: readonly Encoding[],
  positions: readonly number[],
  limit: number,
  param: string,
): void {
  const tooLong = encodings.findIndex(({ ids }) => ids.length > limit);
  if (tooLong === -1) return;
  const field = `${param}[${positions.indexOf(tooLong)}]`;
  const counted = encodings[tooLong]?.ids.length ?? 0;
  const tokens = counted < COUNTED_LIMITS * limit ? String(counted) : `at least ${counted}`;
  throw new ServiceError(
    'invalid_request',
    `${field}: expected at most ${limit} tokens, special ones included, since truncation is off; got ${tokens}`,
    { param: field },
  );
}
