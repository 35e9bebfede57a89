import type { ParsedValue } from './parse-value.ts';
import { parseValue } from './parse-value.ts';
import type { SettingEntry } from './setting-entry.ts';
import { environmentNameOf, flagOf } from './setting-entry.ts';

/** By option name, as written: `{ 'model-id': ['a', 'b'], port: ['80'] }`; one value for options of scope `server`. */
export type FlagValues = Readonly<Record<string, readonly string[] | undefined>>;

export type Environment = Readonly<Record<string, string | undefined>>;

export interface OptionValues {
  /** At least one. */
  readonly values: readonly ParsedValue[];
  /** The flag or environment name that gave them; the flag for a default. */
  readonly source: string;
}

/**
 * The values of one option: the flag's if it was given, else those of the environment, else the default. An empty
 * environment variable counts as unset. Throws `invalid_settings`.
 */
export function readOption(entry: SettingEntry, flags: FlagValues, environment: Environment): OptionValues {
  const flag = flags[entry.option];
  if (flag !== undefined) return parsed(entry, flag, flagOf(entry));
  const variable = environmentNameOf(entry);
  const text = environment[variable];
  if (text !== undefined && text !== '') {
    return parsed(entry, entry.scope === 'model' ? splitList(text) : [text], variable);
  }
  return { values: defaultValues(entry), source: flagOf(entry) };
}

/** Splits on `;` and drops one trailing `;`. Only in the environment: on the command line a flag is repeated. */
function splitList(text: string): string[] {
  return text
    .replace(/;\s*$/, '')
    .split(';')
    .map((part) => part.trim());
}

function parsed(entry: SettingEntry, texts: readonly string[], source: string): OptionValues {
  return { values: texts.map((text) => parseValue(entry, text, source)), source };
}

function defaultValues(entry: SettingEntry): readonly ParsedValue[] {
  if (entry.kind === 'choice') return [entry.choices[entry.default]];
  return typeof entry.default === 'object' ? entry.default : [entry.default];
}
