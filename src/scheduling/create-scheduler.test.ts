import { describe, expect, test } from 'vitest';
import { ServiceError } from '../contracts/errors.ts';
import type { Tensor } from '../contracts/inference-session.ts';
import type { Lane, LaneState } from '../contracts/lane.ts';
import type { ItemRows } from '../contracts/scheduler.ts';
import type { Encoding } from '../contracts/tokenizer.ts';
import { createScheduler } from './create-scheduler.ts';

const MODEL = {
  inputs: [{ name: 'input_ids', role: 'input_ids' }],
  outputs: [{ name: 'embedding', role: 'embedding', per: 'item', width: 1, firstToken: 0, ignoredIds: [] }],
} as const;

interface FakeRun {
  /** First id of each row. */
  readonly rows: readonly number[];
  readonly length: number;
  /** Answers each row with its first id, or with these numbers. */
  finish(numbers?: readonly number[]): void;
  fail(error: unknown): void;
}

/** A lane whose runs end when the test says so. */
class FakeLane implements Lane {
  readonly pid = 1;
  readonly runs: FakeRun[] = [];
  state: LaneState;
  failure = new ServiceError('model_failed', 'it ended 3 times in a row');
  listeners = new Set<(state: LaneState) => void>();

  constructor(state: LaneState = 'ready') {
    this.state = state;
  }

  run(inputs: readonly Tensor[]): Promise<readonly Tensor[]> {
    if (this.state !== 'ready') throw new Error(`run() on a lane that is ${this.state}`);
    const [tensor] = inputs;
    const [batch = 0, length = 0] = tensor?.dims ?? [];
    const rows = Array.from({ length: batch }, (_, row) => tensor?.data[row * length] ?? -1);
    this.state = 'busy';
    return new Promise((resolve, reject) => {
      const leave = (state: LaneState) => {
        if (this.state === 'busy') this.state = state;
      };
      this.runs.push({
        rows,
        length,
        finish: (numbers = rows) => {
          leave('ready');
          resolve([{ name: 'embedding', dims: [numbers.length, 1], data: Float32Array.from(numbers) }]);
        },
        fail: (error) => {
          leave('ready');
          reject(error);
        },
      });
    });
  }

  whenReady(): Promise<void> {
    return this.state === 'failed' ? Promise.reject(this.failure) : Promise.resolve();
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

function encoding(id: number, length = 2): Encoding {
  return { ids: new Int32Array(length).fill(id), typeIds: new Int32Array(length) };
}

function schedulerOf(...lanes: readonly FakeLane[]) {
  return createScheduler({ lanes, model: MODEL, maxBatchTokens: 8, maxBatchItems: 4 });
}

/** Lets everything that is already decided happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

const numbersOf = (items: readonly ItemRows[]) => items.map((rows) => rows.flatMap((row) => [...row]));

async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return error instanceof ServiceError ? error.code : `not a ServiceError: ${error}`;
  }
  return 'resolved';
}

describe('runs', () => {
  test('an idle lane starts within submit', () => {
    const lane = new FakeLane();
    void schedulerOf(lane).submit([encoding(1)]);
    expect(lane.runs.map(({ rows }) => rows)).toEqual([[1]]);
  });

  test('rows come back in the order of the items, whatever the runs were', async () => {
    const lane = new FakeLane();
    const rows = schedulerOf(lane).submit([encoding(1, 2), encoding(2, 5), encoding(3, 2)]);
    lane.runs[0]?.finish();
    await settle();
    lane.runs[1]?.finish();
    expect(lane.runs.map((run) => run.rows)).toEqual([[1, 3], [2]]);
    expect(numbersOf(await rows)).toEqual([[1], [2], [3]]);
  });

  test('items that arrive during a run share the next one, across requests', async () => {
    const lane = new FakeLane();
    const scheduler = schedulerOf(lane);
    const all = [scheduler.submit([encoding(1)]), scheduler.submit([encoding(2)]), scheduler.submit([encoding(3)])];
    expect(lane.runs).toHaveLength(1);
    lane.runs[0]?.finish();
    await settle();
    expect(lane.runs[1]?.rows).toEqual([2, 3]);
    lane.runs[1]?.finish();
    expect((await Promise.all(all)).map(numbersOf)).toEqual([[[1]], [[2]], [[3]]]);
  });

  test('a large request is split into runs within the budget', async () => {
    const lane = new FakeLane();
    const rows = schedulerOf(lane).submit(Array.from({ length: 2_048 }, (_, index) => encoding(index)));
    for (let run = 0; run < 512; run += 1) {
      expect(lane.runs[run]?.rows).toHaveLength(4);
      lane.runs[run]?.finish();
      await settle();
    }
    expect(numbersOf(await rows)).toEqual(Array.from({ length: 2_048 }, (_, index) => [index]));
  });

  test('every ready lane takes a run', () => {
    const lanes = [new FakeLane(), new FakeLane('starting'), new FakeLane()];
    void schedulerOf(...lanes).submit([encoding(1, 2), encoding(2, 3), encoding(3, 4)]);
    expect(lanes.map(({ runs }) => runs.map(({ rows }) => rows))).toEqual([[[1]], [], [[2]]]);
  });

  test('a lane that still looks ready while it runs is not given a second run', async () => {
    class SlowToTell extends FakeLane {
      override run(inputs: readonly Tensor[]): Promise<readonly Tensor[]> {
        const outputs = super.run(inputs);
        this.state = 'ready';
        return outputs;
      }
    }
    const lane = new SlowToTell();
    const scheduler = schedulerOf(lane);
    void scheduler.submit([encoding(1)]);
    void scheduler.submit([encoding(2)]);
    expect(lane.runs.map(({ rows }) => rows)).toEqual([[1]]);
    lane.runs[0]?.finish();
    await settle();
    expect(lane.runs.map(({ rows }) => rows)).toEqual([[1], [2]]);
  });

  test('an empty submission resolves without a run', async () => {
    const lane = new FakeLane();
    expect(await schedulerOf(lane).submit([])).toEqual([]);
    expect(lane.runs).toEqual([]);
  });

  test('load counts what waits and what runs', async () => {
    const lane = new FakeLane();
    const scheduler = schedulerOf(lane);
    void scheduler.submit([encoding(1, 4), encoding(2, 4), encoding(3, 4), encoding(4, 3)]);
    expect(scheduler.load()).toEqual({ queuedItems: 2, queuedTokens: 7, runningItems: 2 });
    lane.runs[0]?.finish();
    await settle();
    expect(scheduler.load()).toEqual({ queuedItems: 1, queuedTokens: 3, runningItems: 1 });
  });
});

describe('cancellation', () => {
  test('an abort rejects at once and drops the items that have not started', async () => {
    const lane = new FakeLane();
    const scheduler = schedulerOf(lane);
    const client = new AbortController();
    const gone = scheduler.submit([encoding(1), encoding(2, 3)], { signal: client.signal });
    const other = scheduler.submit([encoding(9, 3)]);
    client.abort();
    expect(await codeOf(gone)).toBe('request_cancelled');
    expect(scheduler.load()).toEqual({ queuedItems: 1, queuedTokens: 3, runningItems: 1 });
    lane.runs[0]?.finish();
    await settle();
    expect(lane.runs[1]?.rows).toEqual([9]);
    lane.runs[1]?.finish();
    expect(numbersOf(await other)).toEqual([[9]]);
  });

  test('a request that was aborted before it came is not queued', async () => {
    const lane = new FakeLane();
    const scheduler = schedulerOf(lane);
    expect(await codeOf(scheduler.submit([encoding(1)], { signal: AbortSignal.abort() }))).toBe('request_cancelled');
    expect(lane.runs).toEqual([]);
  });

  test('an abort after the answer changes nothing', async () => {
    const lane = new FakeLane();
    const client = new AbortController();
    const rows = schedulerOf(lane).submit([encoding(1)], { signal: client.signal });
    lane.runs[0]?.finish();
    expect(numbersOf(await rows)).toEqual([[1]]);
    client.abort();
    await settle();
  });
});

describe('failures', () => {
  test.each([
    ['run_failed', new ServiceError('run_failed', 'no')],
    ['lane_lost', new ServiceError('lane_lost', 'it ended')],
    ['run_failed', new Error('something else')],
  ])('a run that fails with %s fails the requests in it, drops their other items and goes on', async (code, error) => {
    const lane = new FakeLane();
    const scheduler = schedulerOf(lane);
    const failing = scheduler.submit([encoding(1), encoding(2, 3)]);
    const other = scheduler.submit([encoding(3, 3)]);
    lane.runs[0]?.fail(error);
    expect(await codeOf(failing)).toBe(code);
    expect(lane.runs[1]?.rows).toEqual([3]);
    lane.runs[1]?.finish();
    expect(numbersOf(await other)).toEqual([[3]]);
    expect(scheduler.load()).toEqual({ queuedItems: 0, queuedTokens: 0, runningItems: 0 });
  });

  test('an output of the wrong shape fails the run', async () => {
    const lane = new FakeLane();
    const rows = schedulerOf(lane).submit([encoding(1)]);
    lane.runs[0]?.finish([1, 2]);
    await expect(rows).rejects.toMatchObject({ code: 'run_failed', message: expect.stringContaining('[1, 1]') });
  });

  test('numbers that are not finite fail only the requests that would receive them', async () => {
    const lane = new FakeLane();
    const scheduler = schedulerOf(lane);
    void scheduler.submit([encoding(1, 8)]);
    const failing = scheduler.submit([encoding(2)]);
    const other = scheduler.submit([encoding(3)]);
    lane.runs[0]?.finish();
    await settle();
    lane.runs[1]?.finish([Number.NaN, 3]);
    expect(await codeOf(failing)).toBe('run_failed');
    expect(numbersOf(await other)).toEqual([[3]]);
  });

  test.each(['starting', 'lost'] as const)('items wait while the only lane is %s', async (state) => {
    const lane = new FakeLane(state);
    const scheduler = schedulerOf(lane);
    const rows = scheduler.submit([encoding(1)]);
    expect(scheduler.load().queuedItems).toBe(1);
    lane.become('ready');
    lane.runs[0]?.finish();
    expect(numbersOf(await rows)).toEqual([[1]]);
  });

  test('when the only lane has failed, whatever waits and whatever comes is refused with the reason', async () => {
    const lane = new FakeLane('lost');
    const scheduler = schedulerOf(lane);
    const waiting = scheduler.submit([encoding(1)]);
    lane.become('failed');
    await expect(waiting).rejects.toMatchObject({
      code: 'model_failed',
      message: 'The model can no longer run: it ended 3 times in a row',
    });
    expect(await codeOf(scheduler.submit([encoding(2)]))).toBe('model_failed');
    expect(scheduler.load()).toEqual({ queuedItems: 0, queuedTokens: 0, runningItems: 0 });
  });

  test('while one lane is left, the failure of another is not the end', async () => {
    const lanes = [new FakeLane(), new FakeLane('lost')] as const;
    const rows = schedulerOf(...lanes).submit([encoding(1)]);
    lanes[1].become('failed');
    await settle();
    lanes[0].runs[0]?.finish();
    expect(numbersOf(await rows)).toEqual([[1]]);
  });

  test('items that wait when the lanes are closed are answered with shutting_down', async () => {
    const lane = new FakeLane('starting');
    const waiting = schedulerOf(lane).submit([encoding(1)]);
    await lane.close();
    expect(await codeOf(waiting)).toBe('shutting_down');
  });
});

describe('drain', () => {
  test('refuses new items and resolves when all that was submitted has been answered', async () => {
    const lane = new FakeLane();
    const scheduler = schedulerOf(lane);
    const rows = scheduler.submit([encoding(1, 2), encoding(2, 3)]);
    let isDrained = false;
    const drained = scheduler.drain().then(() => {
      isDrained = true;
    });
    expect(await codeOf(scheduler.submit([encoding(3)]))).toBe('shutting_down');
    lane.runs[0]?.finish();
    await settle();
    expect(isDrained).toBe(false);
    lane.runs[1]?.finish();
    expect(numbersOf(await rows)).toEqual([[1], [2]]);
    await drained;
    expect(lane.listeners.size).toBe(0);
  });

  test('resolves at once when nothing is queued, and every time it is asked', async () => {
    const scheduler = schedulerOf(new FakeLane());
    await scheduler.drain();
    await scheduler.drain();
  });
});
