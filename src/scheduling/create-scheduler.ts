import type { CompiledModel } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Lane } from '../contracts/lane.ts';
import type { RequestWork } from '../contracts/request-work.ts';
import type { Demand, ItemRows, RunReport, Scheduler } from '../contracts/scheduler.ts';
import type { Encoding } from '../contracts/tokenizer.ts';
import { abortReason } from './abort-reason.ts';
import { exceededLimit, type QueueLimits } from './admission.ts';
import type { CoreTurns, CoreUser } from './core-turns.ts';
import { deadlineExceeded, isHopeless } from './deadline.ts';
import { DeadlyInputs } from './deadly-inputs.ts';
import type { Item } from './item.ts';
import { overloadError } from './overload-error.ts';
import { packRun } from './pack-run.ts';
import { type RunShape, readRows } from './read-rows.ts';
import { RequestQueue } from './request-queue.ts';
import { type RunCosts, runMs, USUAL_COSTS } from './run-costs.ts';
import { runLimitMs } from './run-limit.ts';
import type { RunBudget } from './run-size.ts';
import { RunSpeed } from './run-speed.ts';
import { Submission } from './submission.ts';

export interface SchedulerOptions extends RunBudget, QueueLimits {
  /** Lanes with the same graph; each takes the next run when it has room. */
  readonly lanes: readonly Lane[];
  readonly model: Pick<CompiledModel, 'inputs' | 'outputs'>;
  /** For messages. */
  readonly name: string;
  /** Threads that a run on one of the lanes keeps busy. */
  readonly threads: number;
  /** Shared with the schedulers of other models. */
  readonly cores: CoreTurns;
  /** Seconds that any run may take before its process is taken for hung; 0 sets no limit, and is the default. */
  readonly runTimeoutS?: number;
  /** On the clock of `performance.now()`. */
  readonly nowMs?: () => number;
  /** Told of every run that has come back. Must not throw. */
  readonly onRun?: (run: RunReport) => void;
}

export interface ModelScheduler extends Scheduler {
  /** Plans runs by these costs from now on. */
  useCosts(costs: RunCosts): void;
}

/** A lane and what it has in hand. */
interface OwnLane {
  readonly lane: Lane;
  runs: number;
  /** When it was done with the run before the one that it works on. */
  lastEndMs: number;
  readonly user: CoreUser;
}

/**
 * One queue in front of a model's lanes. A lane that has room takes the next run at once: on submit, when it has finished
 * one, when it comes back. Nothing here waits on a clock.
 */
export function createScheduler(options: SchedulerOptions): ModelScheduler {
  const { lanes, model, cores, threads, runTimeoutS = 0, onRun = () => {} } = options;
  const { nowMs = () => performance.now() } = options;
  const deadly = new DeadlyInputs(nowMs);
  const queue = new RequestQueue(options, deadly);
  const speed = new RunSpeed();
  const submissions = new Set<Submission>();
  const deadlines = new Map<Submission, number>();
  const ownLanes = lanes.map((lane): OwnLane => ({ lane, runs: 0, lastEndMs: 0, user: { threads, onTurn: dispatch } }));
  const onDrained: (() => void)[] = [];
  let costs = USUAL_COSTS;
  let reserved: Demand = { items: 0, tokens: 0 };
  let isDraining = false;
  let runningItems = 0;

  const stopListening = lanes.map((lane) => lane.onStateChange(dispatch));

  function dispatch(): void {
    dropHopeless();
    while (queue.load.items > 0) {
      const chosen = chooseLane();
      if (chosen === undefined) break;
      void runOn(chosen, queue.take(costs, submissions.size));
    }
    const reason = failure();
    if (reason === undefined) return;
    for (const submission of submissions) submission.fail(reason);
  }

  /** Why no lane is left that anybody should wait for. */
  function failure(): ServiceError | undefined {
    const reasons = lanes.map((lane) => lane.failure);
    if (reasons.includes(undefined)) return undefined;
    const reason = reasons.find((each) => each?.code === 'model_failed');
    if (reason === undefined) return shuttingDown();
    return new ServiceError('model_failed', `The model cannot run: ${reason.message}`, { cause: reason });
  }

  /** An idle lane before one that has a run in hand; none that has to wait for cores. */
  function chooseLane(): OwnLane | undefined {
    const free = ownLanes.filter(({ lane }) => lane.freeRuns > 0).sort((a, b) => b.lane.freeRuns - a.lane.freeRuns);
    return free.find(({ runs, user }) => (runs > 0 ? !cores.isContended : cores.take(user)));
  }

  async function runOn(chosen: OwnLane, items: readonly Item[]): Promise<void> {
    chosen.runs += 1;
    runningItems += items.length;
    const sentMs = nowMs();
    for (const item of items) item.start(sentMs);
    const shape = { batch: items.length, sequence: Math.max(...items.map(({ length }) => length)) };
    let outcomes: ReturnType<typeof readRows> | ServiceError | undefined;
    try {
      const encodings = items.map(({ encoding }) => encoding);
      const outputs = await chosen.lane.run(packRun(encodings, model.inputs), limitMs(shape));
      if (outputs !== undefined) outcomes = readRows(outputs, model.outputs, shape);
    } catch (error) {
      outcomes = toRunError(error);
    }
    runningItems -= items.length;
    chosen.runs -= 1;
    if (chosen.runs === 0) cores.release(chosen.user);
    if (outcomes === undefined) {
      queue.giveBack(items);
    } else {
      report(chosen, items, { ...shape, sentMs, failed: outcomes instanceof Error });
      if (outcomes instanceof Error) afterFailure(items, outcomes, chosen.lane.state === 'closed');
      else deliver(items, outcomes);
    }
    dispatch();
  }

  function limitMs({ batch, sequence }: RunShape): number | undefined {
    const bySpeed = speed.tokensPerMs === undefined ? 0 : (batch * sequence) / speed.tokensPerMs;
    return runLimitMs(runTimeoutS, Math.max(bySpeed, runMs(costs, batch, sequence)));
  }

  function deliver(items: readonly Item[], outcomes: readonly (ItemRows | ServiceError)[]): void {
    queue.finish(items);
    for (const [position, item] of items.entries()) {
      const outcome = outcomes[position];
      if (outcome === undefined) continue;
      deadly.acquit(item.encoding);
      item.deliver(outcome);
    }
  }

  /**
   * A run that failed says nothing about any one of its items, so each gets a run of its own: whoever has done nothing wrong is
   * answered. An item whose own run fails gets the error, but one that ends the process only when it has done so twice.
   */
  function afterFailure(items: readonly Item[], error: ServiceError, isClosed: boolean): void {
    const isDeath = error.code === 'lane_lost' && !isClosed;
    for (const item of items) {
      if (isDeath) deadly.blame(item.encoding);
      const refusal = deadly.refusalOf(item.encoding);
      if (refusal !== undefined) fail(item, new ServiceError(refusal.code, refusal.message, { cause: error }));
      else if (isClosed || (items.length === 1 && !isDeath)) fail(item, error);
      else queue.retryAlone([item]);
    }
  }

  function fail(item: Item, error: ServiceError): void {
    queue.finish([item]);
    item.deliver(error);
  }

  function report(
    ran: OwnLane,
    items: readonly Item[],
    { batch, sequence, sentMs, failed }: RunShape & Pick<RunReport, 'failed'> & { readonly sentMs: number },
  ): void {
    const now = nowMs();
    const ms = now - Math.max(sentMs, ran.lastEndMs);
    ran.lastEndMs = now;
    if (!failed) speed.record(batch * sequence, ms);
    const tokens = items.reduce((sum, { length }) => sum + length, 0);
    onRun({ items: batch, tokens, paddingTokens: batch * sequence - tokens, ms, failed });
  }

  function dropHopeless(): void {
    const best = ofAllLanes(speed.bestTokensPerMs);
    for (const [submission, deadlineMs] of deadlines) {
      if (isHopeless(deadlineMs, nowMs(), submission.queuedTokens, best)) submission.fail(deadlineExceeded());
    }
  }

  function ofAllLanes(speedOfOne: number | undefined): number | undefined {
    return speedOfOne === undefined ? undefined : speedOfOne * lanes.length;
  }

  function refuseOverload(request: Demand): void {
    const load = { items: queue.load.items + reserved.items, tokens: queue.load.tokens + reserved.tokens };
    const exceeded = exceededLimit(load, request, options);
    if (exceeded === undefined) return;
    throw overloadError(options.name, exceeded, ofAllLanes(speed.tokensPerMs));
  }

  function refuseDeadly(encodings: readonly Encoding[]): void {
    for (const encoding of encodings) {
      const refusal = deadly.refusalOf(encoding);
      if (refusal !== undefined) throw refusal;
    }
  }

  function finishDrain(): void {
    for (const stop of stopListening) stop();
    for (const resolve of onDrained.splice(0)) resolve();
  }

  return {
    reserve({ items, tokens }) {
      refuseOverload({ items, tokens });
      reserved = { items: reserved.items + items, tokens: reserved.tokens + tokens };
      let isHeld = true;
      return () => {
        if (isHeld) reserved = { items: reserved.items - items, tokens: reserved.tokens - tokens };
        isHeld = false;
      };
    },

    async submit(encodings, { signal, deadlineMs, work } = {}) {
      if (isDraining) throw shuttingDown();
      if (signal?.aborted === true) throw abortReason(signal);
      if (encodings.length === 0) return [];
      refuseDeadly(encodings);
      const tokens = encodings.reduce((sum, { ids }) => sum + ids.length, 0);
      refuseOverload({ items: encodings.length, tokens });
      return new Promise((resolve, reject) => {
        let items: readonly Item[] = [];
        const submittedMs = nowMs();
        const cancel = () => signal !== undefined && submission.fail(abortReason(signal));
        const end = () => {
          signal?.removeEventListener('abort', cancel);
          deadlines.delete(submission);
          submissions.delete(submission);
          if (work !== undefined) recordPeriods(work, submittedMs, submission.startedMs, nowMs());
          if (isDraining && submissions.size === 0) finishDrain();
        };
        const submission = new Submission(encodings.length, {
          onRows: (rows) => {
            end();
            resolve(rows);
          },
          onError: (error) => {
            queue.drop(items, submission);
            end();
            reject(error);
          },
        });
        signal?.addEventListener('abort', cancel, { once: true });
        submissions.add(submission);
        if (deadlineMs !== undefined) deadlines.set(submission, deadlineMs);
        items = queue.add(encodings, submission);
        dispatch();
      });
    },

    useCosts(known) {
      costs = known;
    },

    load() {
      const { items, tokens } = queue.load;
      return { queuedItems: items, queuedTokens: tokens, runningItems };
    },

    failure,

    drain() {
      isDraining = true;
      return new Promise((resolve) => {
        onDrained.push(resolve);
        if (submissions.size === 0) finishDrain();
      });
    },
  };
}

function recordPeriods(work: RequestWork, submittedMs: number, startedMs: number | undefined, endMs: number): void {
  // It may have joined an item that ran already.
  const startMs = startedMs === undefined ? undefined : Math.max(submittedMs, startedMs);
  work.wait = { startMs: submittedMs, endMs: startMs ?? endMs };
  if (startMs !== undefined) work.run = { startMs, endMs };
}

function toRunError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError('run_failed', 'The model failed on this input', { cause: error });
}

function shuttingDown(): ServiceError {
  return new ServiceError('shutting_down', 'The server is shutting down');
}
