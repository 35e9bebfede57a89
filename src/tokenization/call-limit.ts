import { COUNTED_LIMITS, type EncodeOptions } from '../contracts/tokenizer.ts';
import type { TruncationSide } from './truncate.ts';

/** How many ids of an item are kept, and from which end. */
export interface IdLimit {
  /** Of the whole sequence. */
  readonly limit: number;
  readonly side: TruncationSide;
}

/** What a call may keep: as much as the tokenizer does, unless the call is to be told of what is too long. */
export function limitOfCall({ truncation }: EncodeOptions, own: IdLimit): IdLimit {
  if (truncation === 'none') return { limit: COUNTED_LIMITS * own.limit, side: 'right' };
  return { limit: own.limit, side: truncation ?? own.side };
}
