import { ServiceError } from '../contracts/errors.ts';
import { isJsonObject, type JsonValue } from '../contracts/json.ts';
import { linesOf, TEXT_FIELD } from './read-lines.ts';
import type { Row } from './row.ts';

/** Each line is a JSON object, or a string that stands for its text. Blank lines are no rows. */
export async function* readJsonLines(filePath: string): AsyncIterable<Row> {
  let number = 0;
  for await (const line of linesOf(filePath)) {
    number += 1;
    if (line.trim() !== '') yield parseRow(line, `${filePath}:${number}`);
  }
}

function parseRow(line: string, where: string): Row {
  const value = parseJson(line, where);
  if (typeof value === 'string') return { [TEXT_FIELD]: value };
  if (isJsonObject(value)) return value;
  throw new ServiceError('invalid_request', `${where}: expected a JSON object or a string, got another value`);
}

function parseJson(line: string, where: string): JsonValue {
  try {
    return JSON.parse(line) as JsonValue;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ServiceError('invalid_request', `${where}: expected JSON, got: ${reason}`);
  }
}
