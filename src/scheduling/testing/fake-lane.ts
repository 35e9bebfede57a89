import { ServiceError } from '../../contracts/errors.ts';
import type { Tensor } from '../../contracts/inference-session.ts';
import type { Lane, LaneState } from '../../contracts/lane.ts';
import type { ItemRows } from '../../contracts/scheduler.ts';
import type { Encoding } from '../../contracts/tokenizer.ts';
import { CoreTurns } from '../core-turns.ts';
import { createScheduler } from '../create-scheduler.ts';

export const MODEL = {
  inputs: [{ name: 'input_ids', role: 'input_ids' }],
  outputs: [{ name: 'embedding', role: 'embedding', per: 'item', width: 1, firstToken: 0, ignoredIds: [] }],
} as const;

const FAILURE = new ServiceError('model_failed', 'it ended 3 times in a row');

export interface FakeRun {
  /** First id of each row. */
  readonly rows: readonly number[];
  readonly length: number;
  /** Answers each row with its first id, or with these numbers. */
  finish(numbers?: readonly number[]): void;
  fail(error: unknown): void;
  /** The process ended before it came to this run. */
  giveBack(): void;
}

/** A lane whose runs end when the test says so. */
export class FakeLane implements Lane {
  readonly pid = 1;
  readonly runs: FakeRun[] = [];
  state: LaneState;
  /** Runs that it takes at a time. */
  depth = 1;
  /** Set while it is lost and may not come back. */
  doubt: ServiceError | undefined;
  /** The longest that each run may take, oldest first. */
  readonly limitsMs: (number | undefined)[] = [];
  listeners = new Set<(state: LaneState) => void>();
  #inHand = 0;

  constructor(state: LaneState = 'ready') {
    this.state = state;
  }

  get freeRuns(): number {
    return this.state === 'ready' || this.state === 'busy' ? this.depth - this.#inHand : 0;
  }

  get failure(): ServiceError | undefined {
    if (this.state === 'failed') return FAILURE;
    return this.state === 'closed' ? new ServiceError('shutting_down', 'it has been closed') : this.doubt;
  }

  run(inputs: readonly Tensor[], limitMs?: number): Promise<readonly Tensor[] | undefined> {
    if (this.freeRuns < 1) throw new Error(`run() on a lane that is ${this.state}`);
    this.limitsMs.push(limitMs);
    const [tensor] = inputs;
    const [batch = 0, length = 0] = tensor?.dims ?? [];
    const rows = Array.from({ length: batch }, (_, row) => tensor?.data[row * length] ?? -1);
    this.state = 'busy';
    this.#inHand += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#inHand -= 1;
        if (this.state === 'busy' && this.#inHand === 0) this.state = 'ready';
      };
      this.runs.push({
        rows,
        length,
        finish: (numbers = rows) => {
          leave();
          resolve([{ name: 'embedding', dims: [numbers.length, 1], data: Float32Array.from(numbers) }]);
        },
        fail: (error) => {
          leave();
          reject(error);
        },
        giveBack: () => {
          leave();
          resolve(undefined);
        },
      });
    });
  }

  whenReady(): Promise<void> {
    return this.state === 'failed' ? Promise.reject(FAILURE) : Promise.resolve();
  }

  onStateChange(listener: (state: LaneState) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  become(state: LaneState): void {
    this.state = state;
    for (const listener of this.listeners) listener(state);
  }

  close(): Promise<void> {
    this.become('closed');
    return Promise.resolve();
  }
}

export function encoding(id: number, length = 2): Encoding {
  return { ids: new Int32Array(length).fill(id), typeIds: new Int32Array(length) };
}

export const LIMITS = { maxBatchTokens: 8, maxBatchItems: 4, maxQueuedTokens: 10_000, maxQueuedItems: 10_000 };

/** Cores for two lanes that nobody else uses. */
export const ownCores = () => ({ threads: 1, cores: new CoreTurns(8) });

export function schedulerOf(...lanes: readonly FakeLane[]) {
  return createScheduler({ lanes, model: MODEL, name: 'bge', ...LIMITS, ...ownCores() });
}

/** Lets everything that is already decided happen. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

export const numbersOf = (items: readonly ItemRows[]) => items.map((rows) => rows.flatMap((row) => [...row]));

export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return error instanceof ServiceError ? error.code : `not a ServiceError: ${error}`;
  }
  return 'resolved';
}
