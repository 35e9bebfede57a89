import { Command } from 'commander';
import { SETTING_ENTRIES } from '../settings/schema.ts';
import type { CommandDefinition } from './command-definition.ts';
import { warningLine } from './describe-failure.ts';
import { readSettings } from './read-settings.ts';
import { addSettingOptions, readFlags } from './settings-options.ts';

/** `infinity serve`: starts the server and resolves with the exit code when it has ended. */
export const serve: CommandDefinition = (context, finish) => {
  const command = new Command('serve')
    .alias('v2')
    .description('Serve models over HTTP until a signal ends it. Implied when no command is given.');
  addSettingOptions(command, SETTING_ENTRIES);
  command.action(async () => {
    const { settings, warnings } = await readSettings(readFlags(command, SETTING_ENTRIES), context.environment);
    for (const warning of warnings) context.writeError(warningLine(warning));
    const service = await context.startService(settings);
    finish(await service.done);
  });
  return command;
};
