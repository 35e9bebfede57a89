import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ServiceError } from '../../../contracts/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../contracts/json.ts';
import type { ModelFolder } from '../../../contracts/model-folder.ts';

const TOKENIZER_FILE = 'tokenizer.json';

/** Entries of a Unigram model have no ids: their place is the id. */
function idIn(vocabulary: JsonValue | undefined, token: string): number | undefined {
  if (Array.isArray(vocabulary)) {
    const index = vocabulary.findIndex((entry: unknown) => Array.isArray(entry) && entry[0] === token);
    return index < 0 ? undefined : index;
  }
  const id = isJsonObject(vocabulary) ? vocabulary[token] : undefined;
  return typeof id === 'number' ? id : undefined;
}

function idAmongAdded(added: JsonValue | undefined, token: string): number | undefined {
  if (!Array.isArray(added)) return undefined;
  const found: unknown = added.find((entry: unknown) => isJsonObject(entry) && entry.content === token);
  return isJsonObject(found) && typeof found.id === 'number' ? found.id : undefined;
}

function readTokenizer(folder: ModelFolder): JsonObject {
  const filePath = path.join(folder.path, TOKENIZER_FILE);
  try {
    const json: unknown = JSON.parse(readFileSync(filePath, 'utf8'));
    if (isJsonObject(json)) return json;
  } catch (cause) {
    throw new ServiceError('invalid_model_folder', `'${filePath}': expected JSON, got a file that is not readable`, {
      cause,
    });
  }
  throw new ServiceError('invalid_model_folder', `'${filePath}': expected a JSON object, got another value`);
}

/**
 * Looks tokens up in the vocabulary of `tokenizer.json`: the id of each, `undefined` for one that it does not have. Throws
 * `invalid_model_folder` when the file cannot be read.
 */
export function tokenIds(folder: ModelFolder, tokens: readonly string[]): readonly (number | undefined)[] {
  const { model, added_tokens: added } = readTokenizer(folder);
  const vocabulary = isJsonObject(model) ? model.vocab : undefined;
  return tokens.map((token) => idIn(vocabulary, token) ?? idAmongAdded(added, token));
}
