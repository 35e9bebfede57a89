import { invalidSetting } from './invalid-setting.ts';
import type { ChoiceEntry, IntegerEntry, SettingEntry, StringEntry } from './setting-entry.ts';

export type ParsedValue = string | number | boolean | undefined;

/** A longer value is cut in messages. */
const MAX_SHOWN_CHARACTERS = 80;

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  t: true,
  1: true,
  yes: true,
  y: true,
  on: true,
  false: false,
  f: false,
  0: false,
  no: false,
  n: false,
  off: false,
};

/**
 * One value from its text. `source` is the flag or the environment name that gave it. Throws `invalid_settings`. A free
 * string is kept as it is and never shown, since it may be a key.
 */
export function parseValue(entry: SettingEntry, text: string, source: string): ParsedValue {
  switch (entry.kind) {
    case 'string':
      if (entry.isUrlPath && text !== '' && !text.startsWith('/')) {
        throw invalidSetting(source, `expected a path that begins with /, got ${shown(text)}`);
      }
      if (text !== '') return matching(entry, text, source);
      if (entry.isUrlPath && entry.default !== undefined) return text;
      if (entry.default === undefined || entry.default === '') return entry.default;
      throw invalidSetting(source, `expected <${entry.placeholder}>, got an empty string`);
    case 'integer':
      return parseInteger(entry, text, source);
    case 'choice':
      return parseChoice(entry, text, source);
    case 'boolean': {
      const value = BOOLEANS[text.trim().toLowerCase()];
      if (value === undefined) throw invalidSetting(source, `expected true or false, got ${shown(text)}`);
      return value;
    }
  }
}

function matching({ pattern }: StringEntry, text: string, source: string): string {
  if (pattern === undefined || pattern.matches.test(text)) return text;
  throw invalidSetting(source, `expected ${pattern.expected}, got ${shown(text)}`);
}

function parseInteger(entry: IntegerEntry, text: string, source: string): number {
  const value = /^\s*[+-]?\d+\s*$/.test(text) ? Number(text) : Number.NaN;
  const max = entry.max ?? Number.MAX_SAFE_INTEGER;
  if (value >= entry.min && value <= max) return value;
  const range = entry.max === undefined ? `of at least ${entry.min}` : `from ${entry.min} to ${entry.max}`;
  throw invalidSetting(source, `expected an integer ${range}, got ${shown(text)}`);
}

/** A choice as `choices` names it. */
export function writtenChoice(text: string): string {
  return text.trim().toLowerCase();
}

function parseChoice(entry: ChoiceEntry, text: string, source: string): string {
  const written = writtenChoice(text);
  if (Object.hasOwn(entry.choices, written)) return String(entry.choices[written]);
  const expected = Object.keys(entry.choices).join(' or ');
  const reason = entry.unsupported?.includes(written) ? ', which this version does not support' : '';
  throw invalidSetting(source, `expected ${expected}, got ${shown(text)}${reason}`);
}

function shown(text: string): string {
  return text.length > MAX_SHOWN_CHARACTERS ? `'${text.slice(0, MAX_SHOWN_CHARACTERS)}…'` : `'${text}'`;
}
