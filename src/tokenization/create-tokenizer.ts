import { ServiceError } from '../contracts/errors.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import type { PairPrompt } from '../contracts/pair-prompt.ts';
import type { StaticTokens } from '../contracts/static-tokens.ts';
import type { EncodeOptions, Encoding, Tokenizer } from '../contracts/tokenizer.ts';
import { limitOfCall } from './call-limit.ts';
import { checkTokenIds } from './check-token-ids.ts';
import { createStaticTokenizer } from './create-static-tokenizer.ts';
import { encodePairs } from './encode-pairs.ts';
import { openPromptedPairs } from './encode-prompted-pairs.ts';
import { encodeTexts } from './encode-texts.ts';
import { encodesWordsApart } from './encodes-words-apart.ts';
import { fitIds } from './fit-ids.ts';
import { loadNativeTokenizer } from './load-native-tokenizer.ts';
import { readTruncation } from './read-truncation.ts';
import { refuseSilence } from './refuse-silence.ts';
import { joinTexts, learnPairTokens, learnSingleTokens, type SpecialTokens } from './special-tokens.ts';
import { vocabularyOf } from './vocabulary-of.ts';

/** What the graph that will read the ids can take. */
export interface TokenizerLimits {
  readonly vocabularySize: number;
  readonly maxPositions: number;
  /** Where pairs enter the model in a prompt. */
  readonly pairPrompt?: PairPrompt;
  /** Where a table of vectors reads them, without a transformer. */
  readonly staticTokens?: StaticTokens;
}

/**
 * The tokenizer of a model folder, in the calling thread: parsing tokenizer.json blocks it (33 ms for 30,000 tokens,
 * 0.7 s for 250,000), and so does the handing over of ids; encoding itself does not. Rejects with
 * `invalid_model_folder` when the files are missing, damaged, do not fit the model's vocabulary, or leave no room beside
 * the special tokens.
 */
export async function createTokenizer(folder: ModelFolder, limits: TokenizerLimits): Promise<Tokenizer> {
  const { staticTokens } = limits;
  if (staticTokens !== undefined) return createStaticTokenizer(folder, { ...limits, staticTokens });
  const { maxSequenceLength, side } = readTruncation(folder, limits.maxPositions);
  const native = loadNativeTokenizer(folder);
  await refuseSilence(folder, native);
  const single = await learnSingleTokens(native);
  const pair = await learnPairTokens(native);
  refuseWithoutRoom(folder, maxSequenceLength, Math.max(single.count, pair.count));
  refuseForeignTokens(folder, [single, pair], limits.vocabularySize);
  const splitsWords = await encodesWordsApart(native);

  const { pairPrompt } = limits;
  const plain = {
    encode: (texts: readonly string[], keep: number) =>
      encodeTexts(native, texts, { keep, side: 'right', splitsWords }, ({ ids }) => ids),
  };
  const prompted = pairPrompt === undefined ? undefined : await openPromptedPairs(pairPrompt, plain, maxSequenceLength);

  function checked(encoding: Encoding): Encoding {
    checkTokenIds(encoding.ids, limits.vocabularySize);
    return encoding;
  }

  const limitOf = (options: EncodeOptions) => limitOfCall(options, { limit: maxSequenceLength, side });

  return {
    ...vocabularyOf(native),
    maxSequenceLength,

    async encode(texts, options = {}) {
      const cut = limitOf(options);
      const textLimits = { keep: cut.limit - single.count, side: cut.side, splitsWords };
      return encodeTexts(native, texts, textLimits, ({ ids }) => checked(joinTexts(single, [ids])));
    },

    async encodePairs(query, documents, options = {}) {
      const cut = limitOf(options);
      if (prompted !== undefined) {
        refusePromptCutLeft(options);
        return (await prompted.encodePairs(query, documents, cut.limit)).map(checked);
      }
      const pairLimits = { ...cut, addedTokens: pair.count, splitsWords };
      return encodePairs(native, query, documents, pairLimits, (texts) => checked(joinTexts(pair, texts)));
    },

    async encodeIds(rows, options = {}) {
      const cut = limitOf(options);
      return rows.map((ids) => checked(fitIds(ids, single, cut)));
    },
  };
}

/** The prompt's pieces are cut at their ends; a cut on the left would have another meaning for each of them. */
function refusePromptCutLeft({ truncation }: EncodeOptions): void {
  if (truncation !== 'left') return;
  throw new ServiceError(
    'invalid_request',
    'This model reads its pairs in a prompt, whose texts can only be cut on the right, got a truncation on the left',
  );
}

function refuseWithoutRoom(folder: ModelFolder, maxSequenceLength: number, specialTokens: number): void {
  if (maxSequenceLength > specialTokens) return;
  throw new ServiceError(
    'invalid_model_folder',
    `'${folder.path}': expected a maximum sequence length of at least ${specialTokens + 1} tokens (${specialTokens} special ones and one of text), got ${maxSequenceLength}`,
  );
}

function refuseForeignTokens(folder: ModelFolder, layouts: readonly SpecialTokens[], vocabularySize: number): void {
  for (const { gaps } of layouts) {
    for (const id of gaps.flatMap((gap) => [...gap.ids])) {
      if (id < vocabularySize) continue;
      throw new ServiceError(
        'invalid_model_folder',
        `'${folder.path}': expected special tokens within the model's vocabulary of ${vocabularySize}, got id ${id} from tokenizer.json`,
      );
    }
  }
}
