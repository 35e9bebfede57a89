import type { Scheduler } from '../contracts/scheduler.ts';
import type { Encoding } from '../contracts/tokenizer.ts';
import { fitCosts, type TimedShape } from './fit-costs.ts';
import { type RunCosts, runMs } from './run-costs.ts';

type Shape = Pick<TimedShape, 'batch' | 'length'>;

/** Each is one run by the usual costs: short and long, alone and grouped. Together half a second for a small model. */
const SHAPES = [
  { batch: 1, length: 8 },
  { batch: 16, length: 16 },
  { batch: 4, length: 64 },
  { batch: 1, length: 256 },
  { batch: 1, length: 512 },
] as const;
/** The best of so many counts: the first one of a shape is slower, and other processes only ever slow a run down. */
const ROUNDS = 3;

const PROBE: Shape = { batch: 4, length: 16 };
/** Runs differ by a third on a machine that does nothing else. */
const OUTDATED_SHARE = 0.6;

export interface CostModelLimits {
  /** Ids are valid below it. */
  readonly vocabularySize: number;
  readonly maxSequenceLength: number;
}

/**
 * Times runs of a few shapes through the queue of a model that nobody else uses at that moment, and fits its costs to them.
 * A request that comes meanwhile waits for one of these runs at most. `undefined` when the model was busy: then nothing is
 * known, and nothing is tried again.
 */
export async function measureCosts(
  scheduler: Scheduler,
  limits: CostModelLimits,
  nowMs: () => number = () => performance.now(),
): Promise<RunCosts | undefined> {
  const shapes = SHAPES.filter(({ length }) => length <= limits.maxSequenceLength);
  const best: TimedShape[] = shapes.map((shape) => ({ ...shape, ms: Number.POSITIVE_INFINITY }));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, shape] of best.entries()) {
      const ms = await timeRun(scheduler, shape, limits, nowMs);
      if (ms === undefined) return undefined;
      best[index] = { ...shape, ms: Math.min(shape.ms, ms) };
    }
  }
  return fitCosts(best);
}

/**
 * Whether a run is now much faster than these costs say: they were measured while other processes kept the machine busy.
 * Takes one short run.
 */
export async function areOutdated(
  costs: RunCosts,
  scheduler: Scheduler,
  limits: CostModelLimits,
  nowMs: () => number = () => performance.now(),
): Promise<boolean> {
  const ms = await timeRun(scheduler, PROBE, limits, nowMs);
  return ms !== undefined && ms < OUTDATED_SHARE * runMs(costs, PROBE.batch, PROBE.length);
}

/** `undefined` when the model was used meanwhile. */
async function timeRun(
  scheduler: Scheduler,
  shape: Shape,
  { vocabularySize }: CostModelLimits,
  nowMs: () => number,
): Promise<number | undefined> {
  if (!isIdle(scheduler)) return undefined;
  const startedMs = nowMs();
  await scheduler.submit(itemsOf(shape, vocabularySize));
  const ms = nowMs() - startedMs;
  return isIdle(scheduler) ? ms : undefined;
}

function isIdle(scheduler: Scheduler): boolean {
  const { queuedItems, runningItems } = scheduler.load();
  return queuedItems === 0 && runningItems === 0;
}

/** Each with ids of its own, or equal ones would be computed once. */
function itemsOf({ batch, length }: Shape, vocabularySize: number): readonly Encoding[] {
  return Array.from({ length: batch }, (_, index) => ({
    ids: new Int32Array(length).fill((index + 1) % vocabularySize),
    typeIds: new Int32Array(length),
  }));
}
