import type { JsonValue } from '../contracts/json.ts';

/** The name of a JSON value's kind, for messages. */
export function kindOf(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a JSON ${typeof value}`;
}
