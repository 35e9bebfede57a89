import { Command } from 'commander';
import { packageVersion } from '../settings/package-version.ts';
import type { CliContext } from './cli-context.ts';
import type { CommandDefinition } from './command-definition.ts';
import { errorLine } from './describe-failure.ts';

/**
 * The parser with all commands. It throws a `CommanderError` instead of ending the process, and reports a wrong command
 * line in one line on standard error.
 */
export function createProgram(
  definitions: readonly CommandDefinition[],
  context: CliContext,
  finish: (exitCode: number) => void,
): Command {
  const program = new Command('infinity')
    .description('Serve text embedding and reranking models with an OpenAI-compatible API.')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({
      writeOut: context.writeOut,
      writeErr: context.writeError,
      outputError: (message, write) => write(errorLine(message.replace(/^error: /, ''))),
    });
  const commands = definitions.map((define) => inheriting(define(context, finish), program));
  for (const command of commands) program.addCommand(command);
  // The implied command's flags belong to the program's own help: most people never name the command.
  program.addHelpText('after', () => `\n${commands[0]?.helpInformation() ?? ''}`);
  return program;
}

/** A command with its own commands, all of which report as the program does. */
function inheriting(command: Command, program: Command): Command {
  for (const child of command.commands) inheriting(child, program);
  return command.copyInheritedSettings(program);
}
