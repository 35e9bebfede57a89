import type { CompiledModel } from '../contracts/compiled-model.ts';
import type { Logger } from '../contracts/logger.ts';
import type { Tokenizer } from '../contracts/tokenizer.ts';
import type { ModelScheduler } from '../scheduling/create-scheduler.ts';
import { areOutdated, measureCosts } from '../scheduling/measure-costs.ts';
import { readRunCosts, writeRunCosts } from './compile-cache/run-costs-file.ts';

export interface CostsOf {
  readonly compiled: CompiledModel;
  readonly tokenizer: Tokenizer;
  readonly scheduler: ModelScheduler;
  /** Of each lane. */
  readonly threads: number;
}

export interface Background {
  readonly logger: Logger;
  /** Runs one task after the other: two models that are measured at once would measure each other. */
  readonly inBackground: (task: () => Promise<void>) => void;
}

/**
 * Tells the scheduler what runs cost: from an earlier start, or else measured behind the model that already serves. Until
 * then, and where it cannot be measured, it plans by the usual costs. Resolves before the measuring is done; never rejects.
 */
export async function learnCosts(
  { compiled, tokenizer, scheduler, threads }: CostsOf,
  { logger, inBackground }: Background,
): Promise<void> {
  const known = await readRunCosts(compiled.graphPath, threads);
  if (known !== undefined) scheduler.useCosts(known);

  async function measure(): Promise<void> {
    const limits = { vocabularySize: compiled.vocabularySize, maxSequenceLength: tokenizer.maxSequenceLength };
    try {
      if (known !== undefined && !(await areOutdated(known, scheduler, limits))) return;
      const costs = await measureCosts(scheduler, limits);
      if (costs === undefined) return;
      scheduler.useCosts(costs);
      logger.debug('Costs of runs.', { model: compiled.architecture, ...costs });
      await writeRunCosts(compiled.graphPath, threads, costs);
    } catch (error) {
      // A model that is closed meanwhile, or that does not take these ids.
      logger.debug('The costs of runs could not be measured.', { reason: String(error) });
    }
  }
  inBackground(measure);
}
