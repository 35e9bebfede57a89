import { bulkCommand } from './bulk-command.ts';
import type { CommandDefinition } from './command-definition.ts';

/** `infinity rerank pairs.csv scores.jsonl`: a score for each pair of query and document of a file. */
export const rerank: CommandDefinition = (context, finish) =>
  bulkCommand(
    {
      name: 'rerank',
      description: 'Compute a score for each pair of query and document of a file, in the order of the file.',
      defaultModelId: 'cross-encoder/ms-marco-MiniLM-L-12-v2',
      addOptions: (command) =>
        command
          .option('--query-field <name>', 'Field that holds the query', 'query')
          .option('--document-field <name>', 'Field that holds the document', 'document')
          .option('--raw-scores', 'Logits instead of scores in 0..1'),
      task: ({ queryField = 'query', documentField = 'document', rawScores = false }) => ({
        kind: 'rerank',
        queryField,
        documentField,
        rawScores,
      }),
    },
    context,
    finish,
  );
