import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ServiceError } from '../contracts/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../contracts/json.ts';
import type { ModelFolder } from '../contracts/model-folder.ts';
import type { StaticTokens } from '../contracts/static-tokens.ts';
import type { Encoding, Tokenizer } from '../contracts/tokenizer.ts';
import { type IdLimit, limitOfCall } from './call-limit.ts';
import { checkTokenIds } from './check-token-ids.ts';
import { type EncodedText, encodeTexts } from './encode-texts.ts';
import { encodesWordsApart } from './encodes-words-apart.ts';
import { loadNativeTokenizer } from './load-native-tokenizer.ts';
import { refuseSilence } from './refuse-silence.ts';
import { firstCharacters, medianLength } from './static-text-cut.ts';
import { truncateIds } from './truncate.ts';
import { vocabularyOf } from './vocabulary-of.ts';

/** What the table that will read the ids can take. */
export interface StaticLimits {
  readonly vocabularySize: number;
  readonly maxPositions: number;
  readonly staticTokens: StaticTokens;
}

function fieldOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isJsonObject(value) ? value[name] : undefined;
}

/** The reference leaves a truncation that is baked into the tokenizer's file as it is; model2vec replaces it. */
function truncationOf(file: JsonObject, { staticTokens, maxPositions }: StaticLimits): IdLimit {
  const { model2vecMaxTokens } = staticTokens;
  const length = model2vecMaxTokens ?? fieldOf(file.truncation, 'max_length');
  const isLeft = model2vecMaxTokens === undefined && fieldOf(file.truncation, 'direction') === 'Left';
  return {
    limit: typeof length === 'number' ? Math.min(length, maxPositions) : maxPositions,
    side: isLeft ? 'left' : 'right',
  };
}

/** Id of the unknown token as model2vec finds it: by its text, otherwise as the model's own `unk_id`. */
function unknownId({ model }: JsonObject, idOf: (token: string) => number | null | undefined): number | undefined {
  const token = fieldOf(model, 'unk_token');
  const id = typeof token === 'string' ? idOf(token) : fieldOf(model, 'unk_id');
  return typeof id === 'number' ? id : undefined;
}

/**
 * The tokenizer of a table of vectors: ids of the text alone, and the row of zeros for a text without any. By model2vec's
 * rule texts are also cut by characters first, and lose their unknown tokens after they were truncated. Rejects with
 * `invalid_model_folder`.
 */
export async function createStaticTokenizer(folder: ModelFolder, limits: StaticLimits): Promise<Tokenizer> {
  const { tokenizerFile, emptyTextId, model2vecMaxTokens } = limits.staticTokens;
  if (!folder.files.includes(tokenizerFile)) {
    throw new ServiceError('invalid_model_folder', `'${folder.path}': expected a ${tokenizerFile}, got none`);
  }
  const native = loadNativeTokenizer(folder, tokenizerFile);
  await refuseSilence(folder, native);
  const file: JsonObject = JSON.parse(readFileSync(path.join(folder.path, tokenizerFile), 'utf8'));
  const truncation = truncationOf(file, limits);
  const splitsWords = await encodesWordsApart(native);
  const isModel2vec = model2vecMaxTokens !== undefined;
  const dropped = isModel2vec ? unknownId(file, (token) => native.tokenToId(token)) : undefined;
  const maxCharacters = isModel2vec
    ? model2vecMaxTokens * medianLength(Object.keys(native.getVocab(true)))
    : Number.POSITIVE_INFINITY;

  function finish({ ids }: Pick<EncodedText, 'ids'>): Encoding {
    const known = dropped === undefined ? ids : ids.filter((id) => id !== dropped);
    checkTokenIds(known, emptyTextId);
    const kept = known.length === 0 ? Int32Array.of(emptyTextId) : known;
    return { ids: kept, typeIds: new Int32Array(kept.length) };
  }

  return {
    ...vocabularyOf(native),
    maxSequenceLength: truncation.limit,

    async encode(texts, options = {}) {
      const { limit: keep, side } = limitOfCall(options, truncation);
      const cut = texts.map((text) => firstCharacters(text, maxCharacters));
      return encodeTexts(native, cut, { keep, side, splitsWords }, finish);
    },

    async encodePairs() {
      throw new ServiceError('invalid_request', `'${folder.id}' is a static embedding: it takes no pairs of texts`);
    },

    async encodeIds(rows, options = {}) {
      const { limit, side } = limitOfCall(options, truncation);
      return rows.map((ids) => finish({ ids: truncateIds(ids, limit, side) }));
    },
  };
}
