import { Command } from 'commander';
import type { CommandDefinition } from './command-definition.ts';

/** `infinity bench --url http://localhost:8080/v1 --name peer`: the benchmark's own options, which its own help explains. */
export const bench: CommandDefinition = (context, finish) =>
  new Command('bench')
    .description('Measure throughput, latency and memory on this machine, beside another server if you name one.')
    .argument('[options...]')
    .action(async (options: string[]) => finish(await context.runBenchmark(options)));
