import { invalidSetting } from './invalid-setting.ts';
import type { ParsedValue } from './parse-value.ts';
import { parseValue } from './parse-value.ts';
import type { SettingEntry } from './setting-entry.ts';
import { environmentNameOf, flagOf, isList } from './setting-entry.ts';

/** By option name, as written: `{ 'model-id': ['a', 'b'], port: ['80'] }`; one value for options of scope `server`. */
export type FlagValues = Readonly<Record<string, readonly string[] | undefined>>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a configuration file says, each value as text. */
export interface ConfigValues {
  /** Shown in messages. */
  readonly source: string;
  /** By option name: one value for the server, or for all models. */
  readonly common: Readonly<Record<string, string>>;
  /** By option name, for each model; `undefined` where the file lists none. */
  readonly models: readonly Readonly<Record<string, string>>[] | undefined;
}

export const NO_CONFIG: ConfigValues = { source: 'no file', common: {}, models: undefined };

/** What nobody guesses, if it is random. */
const MIN_LISTED_CHARACTERS = 8;

/** A Kubernetes service named `infinity` puts `INFINITY_PORT=tcp://10.0.0.1:7997` into every pod beside it. */
const SERVICE_LINK = /^tcp:\/\/\S+$/;

export interface OptionValues {
  /** At least one. */
  readonly values: readonly ParsedValue[];
  /** As they were written; none for a default. */
  readonly texts: readonly string[];
  /** The flag or environment name that gave them; the flag for a default. */
  readonly source: string;
}

/**
 * The values of one option: the flag's if it was given, else those of the environment, else those of the configuration
 * file, else the default. Throws `invalid_settings`.
 */
export function readOption(
  entry: SettingEntry,
  flags: FlagValues,
  environment: Environment,
  config: ConfigValues = NO_CONFIG,
): OptionValues {
  const flag = flags[entry.option];
  if (flag !== undefined) return parsed(entry, flag, flagOf(entry));
  const variable = environmentNameOf(entry);
  const text = environment[variable];
  if (isSet(entry, text)) {
    if (isList(entry)) return parsed(entry, splitSecrets(text, variable), variable);
    return parsed(entry, entry.scope === 'model' ? splitList(text) : [text], variable);
  }
  return fromConfig(entry, config) ?? { values: defaultValues(entry), texts: [], source: flagOf(entry) };
}

/** An empty environment variable counts as unset. */
export function isSet(entry: SettingEntry, text: string | undefined): text is string {
  return text !== undefined && text !== '' && !(entry.kind === 'integer' && SERVICE_LINK.test(text));
}

/** One value for each model that the file lists: the model's own, else the common one, else the default. */
function fromConfig(entry: SettingEntry, { source, common, models }: ConfigValues): OptionValues | undefined {
  const { option } = entry;
  const name = `${option} in ${source}`;
  const everywhere = common[option];
  if (entry.scope === 'server' || models === undefined || !models.some((model) => model[option] !== undefined)) {
    return everywhere === undefined ? undefined : parsed(entry, [everywhere], name);
  }
  const written = models.map((model) => model[option] ?? everywhere);
  const values = written.map((text) => (text === undefined ? defaultValues(entry)[0] : parseValue(entry, text, name)));
  return { values, texts: written.filter((text) => text !== undefined), source: name };
}

/** Splits on `;` and drops one trailing `;`. Only in the environment: on the command line a flag is repeated. */
function splitList(text: string): string[] {
  return text
    .replace(/;\s*$/, '')
    .split(';')
    .map((part) => part.trim());
}

/**
 * The server's lists are of keys. A single value is one key, whatever is around it; with a `;` in it, it might be one key of
 * somebody who did not think of lists: a short part of it would then open the server.
 */
function splitSecrets(text: string, variable: string): string[] {
  const parts = splitList(text);
  const least = parts.length > 1 ? MIN_LISTED_CHARACTERS : 1;
  if (parts.every((part) => part.length >= least)) return parts;
  throw invalidSetting(variable, `expected values of at least ${least} characters between the ';', got a shorter one`);
}

function parsed(entry: SettingEntry, texts: readonly string[], source: string): OptionValues {
  return { values: texts.map((text) => parseValue(entry, text, source)), texts, source };
}

function defaultValues(entry: SettingEntry): readonly ParsedValue[] {
  if (entry.kind === 'choice') return [entry.choices[entry.default]];
  return typeof entry.default === 'object' ? entry.default : [entry.default];
}
