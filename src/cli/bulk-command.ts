import { Command } from 'commander';
import type { BulkTask } from '../contracts/bulk-request.ts';
import { SETTING_ENTRIES, SETTINGS } from '../settings/schema.ts';
import { environmentNameOf, type SettingEntry } from '../settings/setting-entry.ts';
import type { CliContext } from './cli-context.ts';
import { warningLine } from './describe-failure.ts';
import { readSettings } from './read-settings.ts';
import { addSettingOptions, readFlags } from './settings-options.ts';

/** For requests over HTTP, and for a server that only loads. */
const WITHOUT_EFFECT: readonly SettingEntry[] = [
  SETTINGS.preloadOnly,
  SETTINGS.embeddingDtype,
  SETTINGS.strictModelNames,
  SETTINGS.requestTimeoutS,
  SETTINGS.maxClientBatchSize,
  SETTINGS.bodyLimitBytes,
];

const ENTRIES = SETTING_ENTRIES.filter(
  (entry) =>
    entry === SETTINGS.configFile ||
    (!WITHOUT_EFFECT.includes(entry) && entry.group !== 'Server' && entry.group !== 'Compatibility'),
);

/** What the options of a command that computes a file are read as. */
export interface BulkOptions {
  readonly inputFormat?: string;
  readonly keep: readonly string[];
  readonly overwrite?: true;
  readonly textField?: string;
  readonly queryField?: string;
  readonly documentField?: string;
  readonly rawScores?: true;
}

export interface BulkCommand {
  readonly name: string;
  readonly description: string;
  /** Without a model in the settings. */
  readonly defaultModelId: string;
  readonly addOptions: (command: Command) => Command;
  readonly task: (options: BulkOptions) => BulkTask;
}

/** A command that computes a file into another. */
export function bulkCommand(definition: BulkCommand, context: CliContext, finish: (exitCode: number) => void): Command {
  const command = new Command(definition.name)
    .description(definition.description)
    .argument('<input>', 'Rows: .jsonl, .csv, .tsv, .parquet, or .txt with a text in each line')
    .argument('<output>', 'Results: .jsonl, .parquet or .npy. A run that was ended goes on with the same command');
  definition
    .addOptions(command)
    .option(
      '--input-format <name>',
      'What the input is, where its ending does not say: jsonl, csv, tsv, parquet, lines',
    )
    .option('--keep <fields>', 'Fields of the input for the output, separated by commas', (text) => text.split(','), [
      'id',
    ])
    .option('--overwrite', 'Replace an output that is there, or begin anew');
  addSettingOptions(command, ENTRIES);
  return command.action(async (input: string, output: string) => {
    const options = command.opts<BulkOptions>();
    const { inputFormat, keep, overwrite = false } = options;
    const flags = readFlags(command, ENTRIES);
    const { modelId, configFile } = SETTINGS;
    const isNamed = [modelId, configFile].some(
      (entry) => flags[entry.option] !== undefined || context.environment[environmentNameOf(entry)],
    );
    const withModel = isNamed ? flags : { ...flags, [modelId.option]: [definition.defaultModelId] };
    const { settings, warnings } = await readSettings(withModel, context.environment);
    for (const warning of warnings) context.writeError(warningLine(warning));
    const task = definition.task(options);
    await context.runBulk({ task, input, inputFormat, output, keep, overwrite }, settings);
    finish(0);
  });
}
