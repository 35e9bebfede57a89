import { bulkCommand } from './bulk-command.ts';
import type { CommandDefinition } from './command-definition.ts';

/** `infinity embed texts.jsonl vectors.parquet`: a vector for each row of a file. */
export const embed: CommandDefinition = (context, finish) =>
  bulkCommand(
    {
      name: 'embed',
      description: 'Compute a vector for each row of a file.',
      defaultModelId: 'BAAI/bge-small-en-v1.5',
      addOptions: (command) => command.option('--text-field <name>', 'Field that holds the text', 'text'),
      task: ({ textField = 'text' }) => ({ kind: 'embed', textField }),
    },
    context,
    finish,
  );
