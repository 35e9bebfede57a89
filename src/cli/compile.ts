import { Command } from 'commander';
import { SETTING_ENTRIES, SETTINGS } from '../settings/schema.ts';
import type { CommandDefinition } from './command-definition.ts';
import { addModelArguments, readModelArguments } from './model-arguments.ts';

const ENTRIES = SETTING_ENTRIES.filter(
  (entry) =>
    entry === SETTINGS.configFile ||
    (entry !== SETTINGS.preloadOnly && (entry.group === 'Models' || entry.group === 'Logging')),
);

/** `infinity compile BAAI/bge-m3`: what `serve` does before it can answer, so that its first start is a quick one. */
export const compile: CommandDefinition = (context, finish) => {
  const command = new Command('compile').description(
    'Download and compile models into the caches, run each once, and say where the graphs are.',
  );
  addModelArguments(command, ENTRIES);
  return command.action(async (ids: string[]) => {
    const settings = await readModelArguments(command, ids, ENTRIES, context.environment);
    const service = await context.startService({ ...settings, preloadOnly: true });
    finish(await service.done);
  });
};
