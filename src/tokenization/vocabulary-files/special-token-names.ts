import { isJsonObject, type JsonObject, type JsonValue } from '../../contracts/json.ts';

/** Text of a special token in tokenizer_config.json, where it is a string or an object with `content`. */
export function specialTokenName(config: JsonObject, field: string, fallback: string): string {
  const value: JsonValue | undefined = config[field];
  if (typeof value === 'string') return value;
  return isJsonObject(value) && typeof value.content === 'string' ? value.content : fallback;
}

/** A special token as tokenizer.json lists it. A mask takes the blank before it, as the official tokenizers do. */
export function addedToken(content: string, id: number, isMask: boolean): JsonObject {
  return { id, content, single_word: false, lstrip: isMask, rstrip: false, normalized: false, special: true };
}
