import type { CompiledModel } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import type { Tensor } from '../contracts/inference-session.ts';
import type { Lane, LaneState } from '../contracts/lane.ts';
import type { Logger } from '../contracts/logger.ts';
import { encodeOpenRequest } from './control-messages.ts';
import { readFailure } from './failure-message.ts';
import type { Frame } from './frame.ts';
import { type LaneStep, nextLaneStep, RESTART_POLICY, type RestartPolicy } from './next-lane-step.ts';
import {
  type InferenceProcess,
  type ProcessEnding,
  type StartInferenceProcess,
  startInferenceProcess,
} from './start-inference-process.ts';
import { StateChanges } from './state-changes.ts';
import { decodeTensors, encodeTensorFrame } from './tensor-frame.ts';
import { type Schedule, scheduleTimer, watch } from './watchdog.ts';

/** How long `close` waits for the runs in hand: forty times what 4,096 tokens take in a small model on two cores. */
const FINISH_RUNS_MS = 30_000;

/** The run that the process works on, and the one that lies in its channel meanwhile. A third would only be a staler plan. */
const RUNS_IN_HAND = 2;

export interface LaneOptions {
  readonly compiled: CompiledModel;
  /** Threads that share the work of one operator. */
  readonly threads: number;
  /** Path of `dist/lane-main.js`. */
  readonly laneMain: string;
  readonly logger: Logger;
  /** For `ps` and the log; the model's architecture when there is none. */
  readonly name?: string;
  readonly restart?: RestartPolicy;
  /** A process that has not opened its session after so long is taken for hung and killed; never when absent. */
  readonly startLimitMs?: number | undefined;
  /** For tests: how a process is started, and how time passes. */
  readonly startProcess?: StartInferenceProcess;
  readonly schedule?: Schedule;
}

/** Starts an inference process that opens the compiled graph, and keeps one running until `close()`. */
export function startLane(options: LaneOptions): Lane {
  const lane = new ProcessLane(options);
  lane.start();
  return lane;
}

interface RunInHand {
  readonly id: number;
  readonly limitMs: number | undefined;
  resolve(outputs: readonly Tensor[] | undefined): void;
  reject(error: ServiceError): void;
}

class ProcessLane implements Lane {
  readonly #options: LaneOptions;
  readonly #name: string;
  readonly #restart: RestartPolicy;
  readonly #schedule: Schedule;
  readonly #changes = new StateChanges('starting');
  #process: InferenceProcess | undefined;
  /** In the order in which they were sent, which is the order in which they are answered: only the first has started. */
  readonly #runs: RunInHand[] = [];
  #lastId = 0;
  #everOpen = false;
  #deathsWhileStarting = 0;
  #hungStarts = 0;
  #deathsInARow = 0;
  #failure: ServiceError | undefined;
  /** Of what the process does now: its start, or its oldest run. */
  #stopWatching = (): void => {};
  /** Why the process is being killed, where it did nothing for too long. */
  #hung: string | undefined;
  /** Why the session could not be opened by the process that is now being ended. */
  #refusal: ServiceError | undefined;
  #cancelRestart: (() => void) | undefined;
  #closing: { readonly promise: Promise<void>; readonly done: () => void } | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#name = options.name ?? options.compiled.architecture;
    this.#restart = options.restart ?? RESTART_POLICY;
    this.#schedule = options.schedule ?? scheduleTimer;
  }

  get state(): LaneState {
    return this.#changes.state;
  }

  get freeRuns(): number {
    const takesRuns = (this.state === 'ready' || this.state === 'busy') && this.#closing === undefined;
    return takesRuns ? RUNS_IN_HAND - this.#runs.length : 0;
  }

  get failure(): ServiceError | undefined {
    return this.#failure;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  start(): void {
    this.#changes.enter('starting');
    this.#refusal = undefined;
    this.#hung = undefined;
    const startProcess = this.#options.startProcess ?? startInferenceProcess;
    this.#process = startProcess({
      laneMain: this.#options.laneMain,
      title: `infinity-lane ${this.#name}`,
      onFrame: (frame) => this.#onFrame(frame),
      onEnded: (ending) => this.#onEnded(ending),
    });
    const { threads, compiled } = this.#options;
    const { graphPath, wideInt8 } = compiled;
    const options = { threads, ...(wideInt8 === undefined ? {} : { wideInt8 }) };
    this.#process.send(encodeOpenRequest(this.#nextId(), { graphPath, options }));
    this.#options.logger.debug('Inference process started.', { model: this.#name, pid: this.pid });
    this.#watch(this.#options.startLimitMs, 'its session was not open', () => {
      this.#hungStarts += 1;
    });
  }

  async run(inputs: readonly Tensor[], limitMs?: number): Promise<readonly Tensor[] | undefined> {
    const child = this.#process;
    if (this.freeRuns < 1 || child === undefined) {
      const having = `it is '${this.state}' with ${this.#runs.length} runs in hand`;
      throw new ServiceError('internal_error', `A lane takes no run now: ${having}, the limit is ${RUNS_IN_HAND}.`);
    }
    const id = this.#nextId();
    const frame = encodeTensorFrame('run', id, inputs);
    return new Promise((resolve, reject) => {
      this.#runs.push({ id, limitMs, resolve, reject });
      this.#changes.enter('busy');
      child.send(frame);
      if (this.#runs.length === 1) this.#watchRun(limitMs);
    });
  }

  whenReady(): Promise<void> {
    return this.#changes.whenReady();
  }

  onStateChange(listener: (state: LaneState) => void): () => void {
    return this.#changes.listen(listener);
  }

  close(): Promise<void> {
    if (this.#closing !== undefined) return this.#closing.promise;
    const { promise, resolve } = withResolver();
    this.#closing = { promise, done: resolve };
    const child = this.#process;
    if (child === undefined) {
      this.#cancelRestart?.();
      this.#finishClosing();
    } else if (this.state === 'busy') {
      const cancel = this.#schedule(() => child.kill(), FINISH_RUNS_MS);
      void promise.then(cancel);
    } else if (this.state === 'ready') {
      this.#enterClosed();
      child.end();
    } else {
      // Opening a session cannot be interrupted from within.
      this.#enterClosed();
      child.kill();
    }
    return promise;
  }

  #watchRun(limitMs: number | undefined): void {
    this.#watch(limitMs, 'a run was not answered');
  }

  /** Kills the process if it is not done with this after `limitMs`. */
  #watch(limitMs: number | undefined, what: string, onHung?: () => void): void {
    this.#stopWatching();
    if (limitMs === undefined) return;
    this.#stopWatching = watch(limitMs, this.#schedule, () => {
      this.#hung = `${what} after ${limitMs / 1000} s, the limit for it`;
      onHung?.();
      this.#process?.kill();
    });
  }

  #onFrame({ kind, id, payload }: Frame): void {
    const [run] = this.#runs;
    const expectedId = run?.id ?? this.#lastId;
    if (id !== expectedId) throw senseless(kind, `has id ${id}; expected ${expectedId}`);
    if (kind === 'opened' && this.state === 'starting') {
      this.#everOpen = true;
      this.#deathsWhileStarting = 0;
      this.#hungStarts = 0;
      this.#failure = undefined;
      this.#stopWatching();
      this.#changes.enter('ready');
    } else if (kind === 'failed' && this.state === 'starting') {
      this.#refusal = readFailure(payload);
      this.#process?.kill();
    } else if (kind === 'ran' && run !== undefined) {
      const outputs = decodeTensors(payload);
      this.#endRun();
      run.resolve(outputs);
    } else if (kind === 'failed' && run !== undefined) {
      const { message, cause } = readFailure(payload);
      this.#endRun();
      run.reject(new ServiceError('run_failed', message, { cause }));
      this.#options.logger.error('A run failed.', { model: this.#name, reason: causeOf(cause) ?? message });
    } else if (this.#closing === undefined) {
      throw senseless(kind, `came while the lane was '${this.state}'`);
    }
  }

  /** The oldest run is answered: the lane goes on with the next one, or goes on closing. */
  #endRun(): void {
    this.#runs.shift();
    this.#deathsInARow = 0;
    this.#stopWatching();
    const [next] = this.#runs;
    if (next !== undefined) {
      this.#watchRun(next.limitMs);
      return;
    }
    if (this.#closing === undefined) {
      this.#changes.enter('ready');
    } else {
      this.#enterClosed();
      this.#process?.end();
    }
  }

  #onEnded(ending: ProcessEnding): void {
    const reason = this.#hung ?? ending.reason;
    this.#process = undefined;
    this.#stopWatching();
    if (this.#closing !== undefined) {
      this.#loseRuns(reason, '');
      this.#finishClosing();
      return;
    }
    this.#deathsInARow += 1;
    if (this.state === 'starting') this.#deathsWhileStarting += 1;
    const step = nextLaneStep(
      {
        deathsWhileStarting: this.#deathsWhileStarting,
        hungStarts: this.#hungStarts,
        deathsInARow: this.#deathsInARow,
        refused: this.#refusal !== undefined,
        everOpen: this.#everOpen,
      },
      this.#restart,
    );
    if (step.kind === 'fail') this.#fail(reason);
    else this.#restartLater(step, this.#refusal?.message ?? reason);
  }

  #fail(reason: string): void {
    const starts = `ended ${this.#deathsWhileStarting} times while it was starting (last: ${reason})`;
    const error = this.#refusal ?? new ServiceError('model_failed', `The inference process of this model ${starts}.`);
    this.#options.logger.error('The model has failed.', {
      model: this.#name,
      reason: error.message,
      detail: causeOf(error.cause),
    });
    this.#failure = new ServiceError('model_failed', error.message, { cause: error.cause });
    this.#changes.enter('failed', this.#failure);
  }

  #restartLater({ delayMs, mayNotReturn }: Extract<LaneStep, { kind: 'restart' }>, reason: string): void {
    this.#options.logger.warning('An inference process ended; it is started again.', {
      model: this.#name,
      reason,
      delayMs,
    });
    if (mayNotReturn) this.#giveLittleHope(reason);
    this.#changes.enter('lost');
    this.#loseRuns(reason, ' It is being started again.');
    this.#cancelRestart = this.#schedule(() => this.start(), delayMs);
  }

  #giveLittleHope(reason: string): void {
    const times = `has ended ${this.#deathsInARow} times in a row`;
    const message = `The inference process of this model ${times} (last: ${reason}). It is still being started again.`;
    if (this.#failure === undefined)
      this.#options.logger.error('The model cannot be served for now.', {
        model: this.#name,
        reason: message,
      });
    this.#failure = new ServiceError('model_failed', message);
  }

  /** All that the process sent has been read, so it had come to the oldest run and to no other. */
  #loseRuns(reason: string, whatNext: string): void {
    const message = `The inference process of this model ended during the run (${reason}).${whatNext}`;
    const [started, ...notStarted] = this.#runs.splice(0);
    started?.reject(new ServiceError('lane_lost', message));
    for (const run of notStarted) run.resolve(undefined);
  }

  #enterClosed(): void {
    this.#failure = closedError(this.#name);
    this.#changes.enter('closed', this.#failure);
  }

  #finishClosing(): void {
    this.#enterClosed();
    this.#closing?.done();
  }

  #nextId(): number {
    // Unsigned 32 bits on the wire.
    this.#lastId = (this.#lastId + 1) >>> 0;
    return this.#lastId;
  }
}

function withResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function closedError(name: string): ServiceError {
  return new ServiceError('shutting_down', `The inference process of '${name}' has been closed.`);
}

function senseless(kind: string, what: string): ServiceError {
  return new ServiceError('internal_error', `A lane frame '${kind}' ${what}.`);
}

function causeOf(cause: unknown): string | undefined {
  return cause instanceof Error ? cause.message : undefined;
}
