import { readFile, stat } from 'node:fs/promises';
import { ServiceError } from '../contracts/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../contracts/json.ts';
import { errorCodeOf } from './error-code-of.ts';
import { kindOf } from './json-kind.ts';
import { isLfsPointer, lfsPointerError } from './lfs-pointer.ts';

/** Guards memory. The largest known tokenizer.json has 35 MB, the largest index of shards 20 MB. */
const MAX_BYTES = 256 * 1024 * 1024;

/**
 * The parsed content of a JSON file, `undefined` when there is no such file. A file that is there but cannot be read or
 * parsed rejects with `invalid_model_folder`.
 */
export async function readJsonFile(filePath: string): Promise<JsonValue | undefined> {
  const text = await readTextFile(filePath);
  if (text === undefined) return undefined;
  if (isLfsPointer(text)) throw lfsPointerError(filePath);
  try {
    // Editors on Windows put a byte order mark in front, which JSON.parse refuses.
    return JSON.parse(text.replace(/^\uFEFF/, '')) as JsonValue;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServiceError('invalid_model_folder', `'${filePath}': expected JSON, got ${describe(text)} (${reason})`, {
      cause: error,
    });
  }
}

/** As `readJsonFile`, for a file that must hold a JSON object. */
export async function readJsonObject(filePath: string): Promise<JsonObject | undefined> {
  const value = await readJsonFile(filePath);
  if (value === undefined || isJsonObject(value)) return value;
  throw new ServiceError('invalid_model_folder', `'${filePath}': expected a JSON object, got ${kindOf(value)}`);
}

async function readTextFile(filePath: string): Promise<string | undefined> {
  try {
    // A named pipe would be waited for without end.
    const found = await stat(filePath);
    if (!found.isFile()) {
      throw new ServiceError('invalid_model_folder', `'${filePath}': expected a file, got a folder or a special file`);
    }
    if (found.size > MAX_BYTES) {
      const message = `'${filePath}': expected JSON of at most ${MAX_BYTES} bytes, got a file of ${found.size}`;
      throw new ServiceError('invalid_model_folder', message);
    }
    return await readFile(filePath, 'utf8');
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    const code = errorCodeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ServiceError('invalid_model_folder', `'${filePath}': expected a readable file, got ${code}`, {
      cause: error,
    });
  }
}

function describe(text: string): string {
  return text.trim() === '' ? 'an empty file' : `${text.length} characters of something else`;
}
