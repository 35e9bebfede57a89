import type { Encoding as NativeEncoding, Tokenizer as NativeTokenizer } from 'tokenizers';
import { ServiceError } from '../contracts/errors.ts';
import type { Encoding } from '../contracts/tokenizer.ts';

/** What the tokenizer's post-processor puts around one text, or around and between two. */
export interface SpecialTokens {
  /** Before the first text, between texts, after the last: one more than there are texts. May be empty. */
  readonly gaps: readonly Encoding[];
  /** The type id that the tokens of each text receive. */
  readonly textTypeIds: readonly number[];
  /** Special tokens in all gaps together. */
  readonly count: number;
}

/** Text of the probes; what it encodes to does not matter, only where it ends up. */
const PROBE = 'a';

/** Learns the special tokens of one text by encoding a probe. Rejects with `invalid_model_folder`. */
export async function learnSingleTokens(native: NativeTokenizer): Promise<SpecialTokens> {
  return readSpecialTokens(toProbe(await native.encode(PROBE)), 1);
}

/** Learns the special tokens of a pair of texts by encoding a probe. Rejects with `invalid_model_folder`. */
export async function learnPairTokens(native: NativeTokenizer): Promise<SpecialTokens> {
  return readSpecialTokens(toProbe(await native.encode(PROBE, PROBE)), 2);
}

export interface Probe {
  readonly ids: readonly number[];
  readonly typeIds: readonly number[];
  /** For each id the text it comes from, 0 or 1; `null` for special tokens. */
  readonly textOf: readonly (number | null | undefined)[];
}

function toProbe(encoding: NativeEncoding): Probe {
  return { ids: encoding.getIds(), typeIds: encoding.getTypeIds(), textOf: encoding.getSequenceIds() };
}

/** Splits a probe at its texts, which must appear once each and in order. */
export function readSpecialTokens({ ids, typeIds, textOf }: Probe, texts: number): SpecialTokens {
  const gaps: Encoding[] = [];
  const textTypeIds: number[] = [];
  let end = 0;
  for (let text = 0; text < texts; text += 1) {
    const first = textOf.indexOf(text);
    const last = textOf.lastIndexOf(text);
    const typeId = typeIds[first];
    if (first < end || typeId === undefined || textOf.slice(first, last + 1).some((other) => other !== text)) {
      throw new ServiceError(
        'invalid_model_folder',
        `tokenizer.json: expected a post-processor that keeps ${texts === 1 ? 'a text' : 'two texts'} whole and in order, got token sources [${textOf.join(', ')}] for a probe`,
      );
    }
    gaps.push(cutGap(ids, typeIds, end, first));
    textTypeIds.push(typeId);
    end = last + 1;
  }
  gaps.push(cutGap(ids, typeIds, end, ids.length));
  return { gaps, textTypeIds, count: gaps.reduce((count, gap) => count + gap.ids.length, 0) };
}

function cutGap(ids: readonly number[], typeIds: readonly number[], start: number, end: number): Encoding {
  return { ids: Int32Array.from(ids.slice(start, end)), typeIds: Int32Array.from(typeIds.slice(start, end)) };
}

/** Puts the special tokens around and between the texts' ids, as the post-processor would. */
export function joinTexts({ gaps, textTypeIds, count }: SpecialTokens, texts: readonly Int32Array[]): Encoding {
  const length = texts.reduce((sum, ids) => sum + ids.length, count);
  const ids = new Int32Array(length);
  const typeIds = new Int32Array(length);
  let position = 0;
  gaps.forEach((gap, index) => {
    ids.set(gap.ids, position);
    typeIds.set(gap.typeIds, position);
    position += gap.ids.length;
    const text = texts[index];
    if (text === undefined) return;
    ids.set(text, position);
    typeIds.fill(textTypeIds[index] ?? 0, position, position + text.length);
    position += text.length;
  });
  return { ids, typeIds };
}
