import { Argument, Command } from 'commander';
import { parseSettings } from '../settings/parse-settings.ts';
import { SETTINGS } from '../settings/schema.ts';
import type { CommandDefinition } from './command-definition.ts';
import { addSettingOptions, readFlags } from './settings-options.ts';

const ENTRIES = [SETTINGS.vectorDiskCacheBytes, SETTINGS.vectorCacheUrl];

/** `infinity cache stats|clear`: what the vector caches that outlive a server hold. */
export const cache: CommandDefinition = (context, finish) => {
  const command = new Command('cache')
    .description('Show what the vector cache holds on disk and in Redis, or empty it.')
    .addArgument(new Argument('<action>', 'what to do').choices(['stats', 'clear']));
  addSettingOptions(command, ENTRIES);
  command.action(async (action: string) => {
    const settings = parseSettings(readFlags(command, ENTRIES), context.environment);
    const reports = await context.inspectVectorCache(settings, { clear: action === 'clear' });
    for (const { name, entries, bytes, limitBytes } of reports) {
      const size = bytes === undefined ? '' : `, ${megabytes(bytes)} of ${megabytes(limitBytes ?? 0)} MB`;
      context.writeOut(`${name}: ${entries ?? 'an unknown number of'} entries${size}\n`);
    }
    if (reports.length === 0) context.writeOut('There is no vector cache: no folder for it and no server.\n');
    finish(0);
  });
  return command;
};

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
