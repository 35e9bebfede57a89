import type { Encoding } from '../contracts/tokenizer.ts';
import type { SpecialTokens } from './special-tokens.ts';
import { type TruncationSide, truncateIds } from './truncate.ts';

export interface IdLimits {
  /** Of the whole sequence. */
  readonly limit: number;
  readonly side: TruncationSide;
}

/**
 * Ids that a client has made itself, as they are. Those over the limit are cut as a text would be: special tokens at their
 * ends, where the client has put them, stay.
 */
export function fitIds(ids: Int32Array, { gaps, textTypeIds }: SpecialTokens, { limit, side }: IdLimits): Encoding {
  const before = gaps[0]?.ids ?? new Int32Array();
  const after = gaps[1]?.ids ?? new Int32Array();
  const start = startsWith(ids, before) ? before.length : 0;
  const rest = ids.subarray(start);
  const end = startsWith(rest.slice().reverse(), after.slice().reverse()) ? after.length : 0;
  const body = truncateIds(rest.subarray(0, rest.length - end), limit - start - end, side);
  const fitted = new Int32Array(start + body.length + end);
  fitted.set(before.subarray(0, start));
  fitted.set(body, start);
  fitted.set(after.subarray(0, end), start + body.length);
  return { ids: fitted, typeIds: new Int32Array(fitted.length).fill(textTypeIds[0] ?? 0) };
}

function startsWith(ids: Int32Array, beginning: Int32Array): boolean {
  return ids.length >= beginning.length && beginning.every((id, index) => ids[index] === id);
}
