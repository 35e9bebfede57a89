import { bench } from './bench.ts';
import { cache } from './cache.ts';
import type { CommandDefinition } from './command-definition.ts';
import { compile } from './compile.ts';
import { doctor } from './doctor.ts';
import { download } from './download.ts';
import { embed } from './embed.ts';
import { models } from './models.ts';
import { rerank } from './rerank.ts';
import { serve } from './serve.ts';

/** One line for each command; the first is implied when none is named. */
export const COMMANDS: readonly CommandDefinition[] = [
  serve,
  embed,
  rerank,
  download,
  compile,
  models,
  cache,
  doctor,
  bench,
];
