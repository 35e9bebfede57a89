import type { CommandDefinition } from './command-definition.ts';
import { serve } from './serve.ts';

/** One line for each command; the first is implied when none is named. */
export const COMMANDS: readonly CommandDefinition[] = [serve];
