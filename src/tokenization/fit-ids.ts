import type { Encoding } from '../contracts/tokenizer.ts';
import type { IdLimit } from './call-limit.ts';
import type { SpecialTokens } from './special-tokens.ts';
import { truncateIds } from './truncate.ts';

/**
 * Ids that a client has made itself, as they are. Those over the limit are cut as a text would be: special tokens at their
 * ends, where the client has put them, stay.
 */
export function fitIds(ids: Int32Array, { gaps, textTypeIds }: SpecialTokens, { limit, side }: IdLimit): Encoding {
  const before = gaps[0]?.ids ?? new Int32Array();
  const after = gaps[1]?.ids ?? new Int32Array();
  const start = holdsAt(ids, before, 0) ? before.length : 0;
  const rest = ids.subarray(start);
  const end = holdsAt(rest, after, rest.length - after.length) ? after.length : 0;
  const body = truncateIds(rest.subarray(0, rest.length - end), limit - start - end, side);
  const fitted = new Int32Array(start + body.length + end);
  fitted.set(before.subarray(0, start));
  fitted.set(body, start);
  fitted.set(after.subarray(0, end), start + body.length);
  return { ids: fitted, typeIds: new Int32Array(fitted.length).fill(textTypeIds[0] ?? 0) };
}

function holdsAt(ids: Int32Array, part: Int32Array, place: number): boolean {
  return part.every((id, index) => ids[place + index] === id);
}
