import { Command } from 'commander';
import type { CommandDefinition } from './command-definition.ts';

/** `infinity models`: what is cached, with sizes; `infinity models remove ID`: out of the cache. */
export const models: CommandDefinition = (context, finish) => {
  async function print(lines: Promise<readonly string[]>): Promise<void> {
    for (const line of await lines) context.writeOut(`${line}\n`);
    finish(0);
  }
  const command = new Command('models')
    .description("List the models in the hub's cache with their sizes, the bundled ones, and the compiled graphs.")
    .action(() => print(context.describeCachedModels()));
  const remove = new Command('remove')
    .description("Remove models from the hub's cache, with all their revisions.")
    .argument('<ids...>', 'Ids of models')
    .action((ids: string[]) => print(context.removeModels(ids)));
  return command.addCommand(remove);
};
