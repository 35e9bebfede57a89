import { Command } from 'commander';
import { SETTINGS } from '../settings/schema.ts';
import type { CommandDefinition } from './command-definition.ts';
import { addModelArguments, readModelArguments } from './model-arguments.ts';

const ENTRIES = [
  SETTINGS.modelId,
  SETTINGS.revision,
  SETTINGS.engine,
  SETTINGS.onnxFile,
  SETTINGS.dtype,
  SETTINGS.configFile,
  SETTINGS.logLevel,
];

/** `infinity download BAAI/bge-m3`: what its engine serves into the cache, and what is damaged there anew. Prints id, commit and folder. */
export const download: CommandDefinition = (context, finish) => {
  const command = new Command('download').description(
    "Bring models into the hub's cache, at the newest commit, and check what is there against the hub.",
  );
  addModelArguments(command, ENTRIES);
  return command.action(async (ids: string[]) => {
    const settings = await readModelArguments(command, ids, ENTRIES, context.environment);
    for (const line of await context.downloadModels(settings)) context.writeOut(`${line}\n`);
    finish(0);
  });
};
