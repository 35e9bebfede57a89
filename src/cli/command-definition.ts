import type { Command } from 'commander';
import type { CliContext } from './cli-context.ts';

/** Builds a command; its action throws, or calls `finish` with the exit code. */
export type CommandDefinition = (context: CliContext, finish: (exitCode: number) => void) => Command;
