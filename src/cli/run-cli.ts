import { CommanderError } from 'commander';
import type { CliContext } from './cli-context.ts';
import { processContext } from './cli-context.ts';
import { COMMANDS } from './commands.ts';
import { describeFailure } from './describe-failure.ts';
import { USAGE_EXIT_CODE } from './exit-codes.ts';
import { normalizeArguments } from './normalize-arguments.ts';
import { createProgram } from './program.ts';

/**
 * Runs the command that the arguments (without interpreter and script) name. Resolves with the exit code when it has
 * ended, and never rejects: a failure is one line on standard error.
 */
export async function runCli(given: readonly string[], context: CliContext = processContext()): Promise<number> {
  let exitCode = 0;
  const program = createProgram(COMMANDS, context, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(normalizeArguments(given, 'serve'), { from: 'user' });
    return exitCode;
  } catch (error) {
    // The parser has already written: help and version on request, or what is wrong with the command line.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_EXIT_CODE;
    const failure = describeFailure(error);
    context.writeError(failure.line);
    return failure.exitCode;
  }
}
