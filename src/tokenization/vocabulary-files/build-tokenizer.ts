import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ServiceError } from '../../contracts/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../contracts/json.ts';
import type { ModelFolder } from '../../contracts/model-folder.ts';
import { byteLevelBpeTokenizer } from './byte-level-bpe.ts';
import { readSentencePieceModel } from './sentence-piece-model.ts';
import { wordPieceTokenizer } from './word-piece.ts';
import { xlmRobertaTokenizer } from './xlm-roberta.ts';

/** One way to make a tokenizer.json of the files that older repositories have. */
interface Form {
  /** All of them must be there. */
  readonly files: readonly string[];
  /** `tokenizer_class` without `Fast`; other classes read the same files in another way. */
  readonly classes: readonly string[];
  /** `model_type` that stands for the class where tokenizer_config.json does not name it. */
  readonly modelTypes: readonly string[];
  readonly build: (read: (name: string) => Buffer, config: JsonObject) => JsonObject;
}

const FORMS: readonly Form[] = [
  {
    files: ['vocab.txt'],
    classes: ['BertTokenizer', 'DistilBertTokenizer', 'ElectraTokenizer'],
    modelTypes: ['bert', 'distilbert', 'electra'],
    build: (read, config) => wordPieceTokenizer(read('vocab.txt').toString('utf8'), config),
  },
  {
    files: ['vocab.json', 'merges.txt'],
    classes: ['RobertaTokenizer'],
    modelTypes: ['roberta'],
    build: (read, config) =>
      byteLevelBpeTokenizer(
        JSON.parse(read('vocab.json').toString('utf8')) as JsonObject,
        read('merges.txt').toString('utf8'),
        config,
      ),
  },
  {
    files: ['sentencepiece.bpe.model'],
    classes: ['XLMRobertaTokenizer'],
    modelTypes: ['xlm-roberta'],
    build: (read) => {
      const model = readSentencePieceModel(read('sentencepiece.bpe.model'));
      if (!model.isUnigram || model.pieces.length === 0) throw new Error('it is no unigram model');
      return xlmRobertaTokenizer(model);
    },
  },
];

/**
 * The tokenizer.json that a folder lacks, from the vocabulary files that it has. Throws `invalid_model_folder` with what to
 * do where they are not there, or are read by a class that is not known here.
 */
export function buildTokenizer(folder: ModelFolder): JsonObject {
  const config = folder.tokenizerConfig ?? {};
  const form = FORMS.find(
    ({ files, classes, modelTypes }) =>
      files.every((name) => folder.files.includes(name)) && isReadBy(folder, config, classes, modelTypes),
  );
  if (form === undefined) {
    throw new ServiceError(
      'invalid_model_folder',
      `'${folder.path}': expected a tokenizer.json (the tokenizers format of Hugging Face), got ${describe(folder)}; ` +
        `to make one, run in Python: from transformers import AutoTokenizer; AutoTokenizer.from_pretrained('${folder.id}').save_pretrained('${folder.path}')`,
    );
  }
  try {
    const built = form.build((name) => readFileSync(path.join(folder.path, name)), config);
    return withAddedTokens(built, config);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServiceError(
      'invalid_model_folder',
      `'${folder.path}': expected a vocabulary in ${form.files.join(' and ')}, got: ${reason}`,
      { cause: error },
    );
  }
}

/** Tokens that were added to the vocabulary are in tokenizer_config.json alone: `added_tokens_decoder`, by id. */
function withAddedTokens(tokenizer: JsonObject, { added_tokens_decoder: decoder }: JsonObject): JsonObject {
  const known: readonly JsonValue[] = Array.isArray(tokenizer.added_tokens) ? tokenizer.added_tokens : [];
  if (!isJsonObject(decoder)) return tokenizer;
  const ids = new Set(known.map((token) => (isJsonObject(token) ? token.id : undefined)));
  const more = Object.entries(decoder).flatMap(([id, token]) =>
    isJsonObject(token) && !ids.has(Number(id)) ? [{ id: Number(id), ...token }] : [],
  );
  const all = [...known.filter(isJsonObject), ...more].sort((a, b) => Number(a.id) - Number(b.id));
  return { ...tokenizer, added_tokens: all };
}

function isReadBy(
  folder: ModelFolder,
  config: JsonObject,
  classes: readonly string[],
  modelTypes: readonly string[],
): boolean {
  const { tokenizer_class: name } = config;
  if (typeof name === 'string') return classes.includes(name.replace(/Fast$/, ''));
  return typeof folder.config.model_type === 'string' && modelTypes.includes(folder.config.model_type);
}

function describe(folder: ModelFolder): string {
  const files = folder.files.filter((name) => /^(?:vocab\.\w+|merges\.txt|[^/]+\.model)$/.test(name));
  const name = folder.tokenizerConfig?.tokenizer_class;
  const ofClass = typeof name === 'string' ? ` of ${name}` : '';
  return files.length === 0 ? 'a folder without any vocabulary' : `${files.join(', ')}${ofClass}`;
}
