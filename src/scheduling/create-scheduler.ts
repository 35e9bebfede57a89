import type { CompiledModel } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Lane } from '../contracts/lane.ts';
import type { Scheduler } from '../contracts/scheduler.ts';
import { packRun } from './pack-run.ts';
import { planRuns, type RunBudget } from './plan-runs.ts';
import { readRows } from './read-rows.ts';
import { type Item, Submission } from './submission.ts';
import { WaitingItems } from './waiting-items.ts';

/**
 * How many of the oldest items a plan looks at: the largest request that a client may send by default. It bounds the
 * time of a plan (0.1 ms), however long the queue is.
 */
const PLAN_WINDOW_ITEMS = 2_048;

export interface SchedulerOptions extends RunBudget {
  /** Lanes with the same graph; each takes the next run when it is ready. */
  readonly lanes: readonly Lane[];
  readonly model: Pick<CompiledModel, 'inputs' | 'outputs'>;
}

/**
 * One queue in front of a model's lanes. A lane that is ready takes the next run at once: on submit, when it has
 * finished one, when it comes back. Nothing here waits on a clock.
 */
export function createScheduler({ lanes, model, ...budget }: SchedulerOptions): Scheduler {
  const waiting = new WaitingItems();
  const submissions = new Set<Submission>();
  /** Lanes with one of our runs in hand; a lane may still look ready while it takes one. */
  const occupied = new Set<Lane>();
  const onDrained: (() => void)[] = [];
  let isDraining = false;
  let runningItems = 0;

  const stopListening = lanes.map((lane) => lane.onStateChange(dispatch));

  function dispatch(): void {
    for (const lane of lanes) {
      if (waiting.count === 0) return;
      if (lane.state !== 'ready' || occupied.has(lane)) continue;
      const [run = []] = planRuns(waiting.oldestLengths(PLAN_WINDOW_ITEMS), budget);
      void runOn(lane, waiting.take(run));
    }
    if (lanes.every(({ state }) => state === 'failed' || state === 'closed')) void failAll();
  }

  async function runOn(lane: Lane, items: readonly Item[]): Promise<void> {
    occupied.add(lane);
    runningItems += items.length;
    try {
      const outputs = await lane.run(
        packRun(
          items.map(({ encoding }) => encoding),
          model.inputs,
        ),
      );
      const shape = { batch: items.length, sequence: items[0]?.encoding.ids.length ?? 0 };
      const rows = readRows(outputs, model.outputs, shape);
      for (const [position, { submission, index }] of items.entries()) {
        const found = rows[position];
        if (found instanceof ServiceError) submission.fail(found);
        else if (found !== undefined) submission.take(index, found);
      }
    } catch (error) {
      const reason = toRunError(error);
      for (const { submission } of items) submission.fail(reason);
    }
    runningItems -= items.length;
    occupied.delete(lane);
    dispatch();
  }

  /** No lane is left that could ever run: whatever waits fails with the reason. */
  async function failAll(): Promise<void> {
    const reason = await reasonOfEnd(lanes);
    waiting.clear();
    for (const submission of submissions) submission.fail(reason);
  }

  function remove(submission: Submission): void {
    submissions.delete(submission);
    if (isDraining && submissions.size === 0) finishDrain();
  }

  function finishDrain(): void {
    for (const stop of stopListening) stop();
    for (const resolve of onDrained.splice(0)) resolve();
  }

  return {
    submit(encodings, { signal } = {}) {
      if (isDraining) return Promise.reject(new ServiceError('shutting_down', 'The server is shutting down'));
      if (signal?.aborted === true) return Promise.reject(cancelled());
      if (encodings.length === 0) return Promise.resolve([]);
      return new Promise((resolve, reject) => {
        const cancel = () => submission.fail(cancelled());
        const end = () => {
          signal?.removeEventListener('abort', cancel);
          remove(submission);
        };
        const submission = new Submission(encodings.length, {
          onRows: (rows) => {
            end();
            resolve(rows);
          },
          onError: (error) => {
            waiting.drop(submission);
            end();
            reject(error);
          },
        });
        signal?.addEventListener('abort', cancel, { once: true });
        submissions.add(submission);
        waiting.add(encodings.map((encoding, index) => ({ submission, index, encoding })));
        dispatch();
      });
    },

    load() {
      return { queuedItems: waiting.count, queuedTokens: waiting.tokens, runningItems };
    },

    drain() {
      isDraining = true;
      return new Promise((resolve) => {
        onDrained.push(resolve);
        if (submissions.size === 0) finishDrain();
      });
    },
  };
}

function cancelled(): ServiceError {
  return new ServiceError('request_cancelled', 'The request was cancelled');
}

function toRunError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  return new ServiceError('run_failed', 'The model failed on this input', { cause: error });
}

/** Why no lane is left: `model_failed` with the reason of one that failed, `shutting_down` when all were closed. */
async function reasonOfEnd(lanes: readonly Lane[]): Promise<ServiceError> {
  const failed = lanes.find(({ state }) => state === 'failed');
  if (failed === undefined) return new ServiceError('shutting_down', 'The server is shutting down');
  try {
    await failed.whenReady();
    return new ServiceError('model_failed', 'The model can no longer run');
  } catch (cause) {
    const reason = cause instanceof ServiceError ? `: ${cause.message}` : '';
    return new ServiceError('model_failed', `The model can no longer run${reason}`, { cause });
  }
}
