import { describe, expect, test } from 'vitest';
import { ServiceError } from '../contracts/errors.ts';
import { createScheduler } from './create-scheduler.ts';
import {
  codeOf,
  encoding,
  FakeLane,
  LIMITS,
  MODEL,
  numbersOf,
  ownCores,
  schedulerOf,
  settle,
} from './testing/fake-lane.ts';

describe('failures', () => {
  test('runs that the lane failed or never came to keep their turns', async () => {
    const lane = new FakeLane();
    lane.depth = 2;
    const scheduler = schedulerOf(lane);
    const lost = scheduler.submit([encoding(1, 2)]);
    const client = new AbortController();
    const kept = scheduler.submit([encoding(2, 3)]);
    const gone = scheduler.submit([encoding(3, 3)], { signal: client.signal });
    client.abort();
    lane.become('lost');
    lane.runs[0]?.fail(new ServiceError('lane_lost', 'it ended'));
    lane.runs[1]?.giveBack();
    expect(await codeOf(gone)).toBe('request_cancelled');
    await settle();
    expect(scheduler.load()).toEqual({ queuedItems: 2, queuedTokens: 5, runningItems: 0 });
    void scheduler.submit([encoding(4, 4)]);
    lane.become('ready');
    expect(lane.runs.slice(2).map(({ rows }) => rows)).toEqual([[1], [2]]);
    for (const run of lane.runs.slice(2)) run.finish();
    expect([numbersOf(await lost), numbersOf(await kept)]).toEqual([[[1]], [[2]]]);
  });

  test.each([
    ['of the model', new ServiceError('run_failed', 'no')],
    ['of any kind', new Error('something else')],
  ])('an error %s fails the request whose item ran alone, drops its other items and goes on', async (_, error) => {
    const lane = new FakeLane();
    const scheduler = schedulerOf(lane);
    const failing = scheduler.submit([encoding(1), encoding(2, 3)]);
    const other = scheduler.submit([encoding(3, 3)]);
    lane.runs[0]?.fail(error);
    expect(await codeOf(failing)).toBe('run_failed');
    expect(lane.runs[1]?.rows).toEqual([3]);
    lane.runs[1]?.finish();
    expect(numbersOf(await other)).toEqual([[3]]);
    expect(scheduler.load()).toEqual({ queuedItems: 0, queuedTokens: 0, runningItems: 0 });
  });

  test('a run of several items that fails is taken apart: only the item that fails alone fails its request', async () => {
    const lane = new FakeLane();
    const scheduler = schedulerOf(lane);
    void scheduler.submit([encoding(1, 8)]);
    const codes = [2, 3, 4].map((id) => codeOf(scheduler.submit([encoding(id)])));
    lane.runs[0]?.finish();
    await settle();
    expect(lane.runs[1]?.rows).toEqual([2, 3, 4]);
    lane.runs[1]?.fail(new ServiceError('run_failed', 'no'));
    await settle();
    for (const [run, id] of [2, 3, 4].entries()) {
      expect(lane.runs[2 + run]?.rows).toEqual([id]);
      if (id === 3) lane.runs[2 + run]?.fail(new ServiceError('run_failed', 'no'));
      else lane.runs[2 + run]?.finish();
      await settle();
    }
    expect(await Promise.all(codes)).toEqual(['resolved', 'run_failed', 'resolved']);
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
      message: 'The model cannot run: it ended 3 times in a row',
    });
    expect(await codeOf(scheduler.submit([encoding(2)]))).toBe('model_failed');
    expect(scheduler.load()).toEqual({ queuedItems: 0, queuedTokens: 0, runningItems: 0 });
  });

  test('a lane that may not come back fails whatever waits; once it is back, requests are served again', async () => {
    const lane = new FakeLane('lost');
    const scheduler = schedulerOf(lane);
    const waiting = scheduler.submit([encoding(1)]);
    expect(scheduler.failure()).toBeUndefined();
    lane.doubt = new ServiceError('model_failed', 'it has ended 5 times in a row');
    lane.become('starting');
    expect(await codeOf(waiting)).toBe('model_failed');
    expect(await codeOf(scheduler.submit([encoding(1)]))).toBe('model_failed');
    expect(scheduler.failure()?.message).toBe('The model cannot run: it has ended 5 times in a row');
    lane.doubt = undefined;
    lane.become('ready');
    expect(scheduler.failure()).toBeUndefined();
    const served = scheduler.submit([encoding(1)]);
    lane.runs[0]?.finish();
    expect(numbersOf(await served)).toEqual([[1]]);
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

describe('a process that ends in a run', () => {
  /** Ends the process in its latest run, and starts it again. */
  async function die(lane: FakeLane): Promise<void> {
    lane.become('lost');
    lane.runs.at(-1)?.fail(new ServiceError('lane_lost', 'it ended'));
    await settle();
    lane.become('ready');
    await settle();
  }

  test('for a reason of its own costs nobody an answer', async () => {
    const lane = new FakeLane();
    const rows = schedulerOf(lane).submit([encoding(1)]);
    await die(lane);
    expect(lane.runs[1]?.rows).toEqual([1]);
    lane.runs[1]?.finish();
    expect(numbersOf(await rows)).toEqual([[1]]);
  });

  test('because of an input: those beside it are answered, it is refused at its second death, then without a run', async () => {
    const lane = new FakeLane();
    const scheduler = schedulerOf(lane);
    void scheduler.submit([encoding(1, 8)]);
    const codes = [2, 3, 4].map((id) => codeOf(scheduler.submit([encoding(id)])));
    lane.runs[0]?.finish();
    await settle();
    await die(lane);
    for (const id of [2, 3, 4]) {
      expect(lane.runs.at(-1)?.rows).toEqual([id]);
      if (id === 3) await die(lane);
      else lane.runs.at(-1)?.finish();
      await settle();
    }
    expect(await Promise.all(codes)).toEqual(['resolved', 'lane_lost', 'resolved']);
    const runs = lane.runs.length;
    await expect(scheduler.submit([encoding(5), encoding(3)])).rejects.toMatchObject({
      code: 'lane_lost',
      message: expect.stringContaining('An input of 2 tokens has ended the inference process of this model 2 times'),
    });
    expect(lane.runs).toHaveLength(runs);
  });

  test('an input whose client went away after the first death is known when it comes again, and runs alone', async () => {
    const lane = new FakeLane();
    const scheduler = schedulerOf(lane);
    const client = new AbortController();
    const gone = codeOf(scheduler.submit([encoding(3)], { signal: client.signal }));
    client.abort();
    expect(await gone).toBe('request_cancelled');
    await die(lane);
    expect(lane.runs).toHaveLength(1);
    void scheduler.submit([encoding(1, 8)]);
    const codes = [3, 4].map((id) => codeOf(scheduler.submit([encoding(id)])));
    lane.runs.at(-1)?.finish();
    await settle();
    expect(lane.runs.at(-1)?.rows).toEqual([3]);
    await die(lane);
    expect(await codes[0]).toBe('lane_lost');
    expect(lane.runs.at(-1)?.rows).toEqual([4]);
    lane.runs.at(-1)?.finish();
    expect(await codes[1]).toBe('resolved');
  });

  test('because it was closed blames nobody', async () => {
    const lane = new FakeLane();
    const scheduler = schedulerOf(lane);
    const rows = codeOf(scheduler.submit([encoding(1)]));
    const failing = lane.runs[0];
    await lane.close();
    failing?.fail(new ServiceError('lane_lost', 'it ended'));
    expect(await rows).toBe('shutting_down');
  });
});

test('each run has a limit: the one of all, or more for what must take long', () => {
  const lane = new FakeLane();
  lane.depth = 2;
  const scheduler = createScheduler({
    lanes: [lane],
    model: MODEL,
    name: 'bge',
    ...LIMITS,
    ...ownCores(),
    runTimeoutS: 10,
  });
  scheduler.useCosts({ fixedMs: 1, msPerToken: 1, msPerPair: 0 });
  void scheduler.submit([encoding(1, 9), encoding(2, 999)]);
  expect(lane.limitsMs).toEqual([10_000, 20_000]);
});
