import type { Command } from 'commander';
import type { Environment, FlagValues } from '../settings/read-option.ts';
import { SETTINGS } from '../settings/schema.ts';
import type { ServeSettings } from '../settings/serve-settings.ts';
import { environmentNameOf, type SettingEntry } from '../settings/setting-entry.ts';
import { readSettings } from './read-settings.ts';
import { addSettingOptions, readFlags } from './settings-options.ts';

/** Gives a command the ids of models as arguments, beside the flags of these settings. */
export function addModelArguments(command: Command, entries: readonly SettingEntry[]): void {
  command.argument('[ids...]', 'Ids of models; those of --model-id and the environment when there are none');
  addSettingOptions(command, entries);
}

/** The settings of such a command: of flags, arguments, and those variables that it knows. */
export async function readModelArguments(
  command: Command,
  ids: readonly string[],
  entries: readonly SettingEntry[],
  environment: Environment,
): Promise<ServeSettings> {
  const flags: FlagValues = readFlags(command, entries);
  const names = entries.map(environmentNameOf);
  // A list for other models, of a server that shares the environment, would not fit these ids.
  const known = Object.fromEntries(names.map((name) => [name, environment[name]]));
  const withIds = ids.length === 0 ? flags : { ...flags, [SETTINGS.modelId.option]: ids };
  return (await readSettings(withIds, known)).settings;
}
