import type { Encoding, Token } from '../contracts/tokenizer.ts';
import type { CallPart } from './call-parts.ts';
import type { PackedEncodings } from './packed-encodings.ts';
import type { TokenizerFailure } from './tokenizer-failure.ts';

/** Main thread -> worker, once the worker has said `opened`. Answered in any order, by `id`. */
export interface TokenizerRequest {
  readonly id: number;
  readonly part: CallPart;
}

/** What a call is answered with: ids that enter the model, tokens one by one, or texts. */
export type TokenizerAnswer =
  | { readonly kind: 'encodings'; readonly encodings: readonly Encoding[] }
  | { readonly kind: 'tokens'; readonly tokens: readonly (readonly Token[])[] }
  | { readonly kind: 'texts'; readonly texts: readonly string[] };

/** Worker -> main thread. The first one is `opened` or `refused`; a refused worker ends by itself. */
export type TokenizerReply =
  | { readonly kind: 'opened'; readonly maxSequenceLength: number }
  | { readonly kind: 'refused'; readonly failure: TokenizerFailure }
  | { readonly kind: 'encoded'; readonly id: number; readonly encodings: PackedEncodings }
  | { readonly kind: 'answered'; readonly id: number; readonly answer: TokenizerAnswer }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: TokenizerFailure };
