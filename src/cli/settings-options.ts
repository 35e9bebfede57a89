import type { Command } from 'commander';
import { Option } from 'commander';
import type { FlagValues } from '../settings/read-option.ts';
import type { SettingEntry } from '../settings/setting-entry.ts';
import { environmentNameOf, flagOf, isRepeatable } from '../settings/setting-entry.ts';
import { defaultText, valuesText } from '../settings/setting-text.ts';

/** Gives a command one flag for each setting, with its help. Values stay text: the settings room parses them. */
export function addSettingOptions(command: Command, entries: readonly SettingEntry[]): void {
  for (const entry of entries) {
    for (const option of optionsOf(entry)) command.addOption(option.helpGroup(`${entry.group}:`));
  }
}

/** What the command line gave, by option name. */
export function readFlags(command: Command, entries: readonly SettingEntry[]): FlagValues {
  const values = command.opts<Record<string, readonly string[] | undefined>>();
  return Object.fromEntries(entries.map((entry) => [entry.option, values[new Option(flagOf(entry)).attributeName()]]));
}

function optionsOf(entry: SettingEntry): Option[] {
  // A setting of the server is single: the last flag wins.
  const collect = (value: string, previous: readonly string[] = []): readonly string[] =>
    isRepeatable(entry) ? [...previous, value] : [value];
  if (entry.kind !== 'boolean') {
    const placeholder = entry.kind === 'string' ? entry.placeholder : entry.kind === 'integer' ? 'n' : 'name';
    return [new Option(`${flagOf(entry)} <${placeholder}>`, helpText(entry)).argParser<readonly string[]>(collect)];
  }
  return [
    new Option(flagOf(entry), helpText(entry)).preset('true').argParser<readonly string[]>(collect),
    new Option(`--no-${entry.option}`).hideHelp().preset('false').argParser<readonly string[]>(collect),
  ];
}

function helpText(entry: SettingEntry): string {
  const notes = [`default: ${defaultText(entry).replaceAll(';', ' and ')}`, `env: ${environmentNameOf(entry)}`];
  if (entry.kind === 'choice') notes.unshift(valuesText(entry));
  if (entry.kind === 'boolean') notes.push(`off: --no-${entry.option}`);
  if (isRepeatable(entry)) notes.push('repeatable');
  const description = entry.ignored === undefined ? entry.description : `Changes nothing: ${entry.ignored}`;
  return `${description} (${notes.join('; ')})`;
}
