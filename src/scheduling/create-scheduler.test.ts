import { describe, expect, test } from 'vitest';
import { ServiceError } from '../contracts/errors.ts';
import { CoreTurns } from './core-turns.ts';
import { createScheduler } from './create-scheduler.ts';
import { codeOf, encoding, FakeLane, LIMITS, MODEL, numbersOf, schedulerOf, settle } from './testing/fake-lane.ts';

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

  test('a lane takes a second run while it works on the first, and no third', async () => {
    const lane = new FakeLane();
    lane.depth = 2;
    const rows = schedulerOf(lane).submit([encoding(1, 2), encoding(2, 3), encoding(3, 4)]);
    expect(lane.runs.map((run) => run.rows)).toEqual([[1], [2]]);
    lane.runs[0]?.finish();
    await settle();
    expect(lane.runs.map((run) => run.rows)).toEqual([[1], [2], [3]]);
    lane.runs[1]?.finish();
    lane.runs[2]?.finish();
    expect(numbersOf(await rows)).toEqual([[1], [2], [3]]);
  });

  test('an idle lane is chosen before one with a run in hand', () => {
    const lanes = [new FakeLane(), new FakeLane()];
    for (const lane of lanes) lane.depth = 2;
    void schedulerOf(...lanes).submit([encoding(1, 2), encoding(2, 3), encoding(3, 4)]);
    expect(lanes.map(({ runs }) => runs.map(({ rows }) => rows))).toEqual([[[1], [3]], [[2]]]);
  });

  test('a one-line query that comes during a bulk request is in the next run that is planned', async () => {
    const lane = new FakeLane();
    lane.depth = 2;
    const scheduler = schedulerOf(lane);
    void scheduler.submit(Array.from({ length: 2_048 }, (_, index) => encoding(index, 2)));
    for (let run = 0; run < 10; run += 1) {
      lane.runs[run]?.finish();
      await settle();
    }
    const query = scheduler.submit([encoding(9_999, 3)]);
    // Two runs are out already; what was due of the bulk request by now may take one more.
    for (let run = 10; run < 14; run += 1) {
      lane.runs[run]?.finish();
      await settle();
    }
    expect(lane.runs.slice(10, 14).map(({ rows }) => rows[0])).toContain(9_999);
    expect(numbersOf(await query)).toEqual([[9_999]]);
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

describe('cores shared with another model', () => {
  const pair = () => {
    const cores = new CoreTurns(2);
    return [new FakeLane(), new FakeLane()].map((lane) => {
      lane.depth = 2;
      const scheduler = createScheduler({ lanes: [lane], model: MODEL, name: 'bge', ...LIMITS, threads: 2, cores });
      return { lane, scheduler };
    });
  };

  test('are taken in turns, run by run, while both have work, and as before when one has none', async () => {
    const [a, b] = pair();
    if (a === undefined || b === undefined) throw new Error('two models');
    const items = [encoding(1, 2), encoding(2, 3), encoding(3, 4), encoding(4, 5)];
    const all = [a.scheduler.submit(items), b.scheduler.submit([encoding(5, 2)])];
    expect([a.lane.runs.length, b.lane.runs.length]).toEqual([2, 0]);
    a.lane.runs[0]?.finish();
    await settle();
    // The other model waits, so no third run follows the second.
    expect([a.lane.runs.length, b.lane.runs.length]).toEqual([2, 0]);
    a.lane.runs[1]?.finish();
    await settle();
    expect([a.lane.runs.length, b.lane.runs.length]).toEqual([2, 1]);
    b.lane.runs[0]?.finish();
    await settle();
    expect([a.lane.runs.length, b.lane.runs.length]).toEqual([4, 1]);
    a.lane.runs[2]?.finish();
    a.lane.runs[3]?.finish();
    expect((await Promise.all(all)).map(numbersOf)).toEqual([[[1], [2], [3], [4]], [[5]]]);
  });

  test('are given back by a lane that is lost and by one whose requests have gone', async () => {
    const [a, b] = pair();
    if (a === undefined || b === undefined) throw new Error('two models');
    const client = new AbortController();
    const gone = codeOf(b.scheduler.submit([encoding(5)], { signal: client.signal }));
    const other = codeOf(a.scheduler.submit([encoding(1)]));
    client.abort();
    b.lane.become('lost');
    b.lane.runs[0]?.fail(new ServiceError('lane_lost', 'it ended'));
    await settle();
    a.lane.runs[0]?.finish();
    expect([await gone, await other]).toEqual(['request_cancelled', 'resolved']);
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

  test("an abort's own reason is the error", async () => {
    const scheduler = schedulerOf(new FakeLane('starting'));
    const client = new AbortController();
    const gone = scheduler.submit([encoding(1)], { signal: client.signal });
    client.abort(new ServiceError('deadline_exceeded', 'too late'));
    expect(await codeOf(gone)).toBe('deadline_exceeded');
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

describe('equal items of several requests', () => {
  test.each([
    ['in a run', 1],
    ['waiting', 0],
  ])('are computed once while one of them is %s', async (_, others) => {
    const lane = new FakeLane(others === 0 ? 'starting' : 'ready');
    const scheduler = schedulerOf(lane);
    const all = [scheduler.submit([encoding(7)]), scheduler.submit([encoding(7), encoding(8)])];
    lane.become('ready');
    while (lane.runs.length > 0) {
      lane.runs.shift()?.finish();
      await settle();
    }
    expect((await Promise.all(all)).map(numbersOf)).toEqual([[[7]], [[7], [8]]]);
    expect(scheduler.load()).toEqual({ queuedItems: 0, queuedTokens: 0, runningItems: 0 });
  });

  test('stay while one client is left', async () => {
    const lane = new FakeLane('starting');
    const scheduler = schedulerOf(lane);
    const client = new AbortController();
    const gone = scheduler.submit([encoding(7)], { signal: client.signal });
    const left = scheduler.submit([encoding(7)]);
    expect(scheduler.load().queuedItems).toBe(1);
    client.abort();
    expect(await codeOf(gone)).toBe('request_cancelled');
    expect(scheduler.load().queuedItems).toBe(1);
    lane.become('ready');
    lane.runs[0]?.finish();
    expect(numbersOf(await left)).toEqual([[7]]);
  });

  test('of another type are another item', () => {
    const lane = new FakeLane('starting');
    const scheduler = schedulerOf(lane);
    void scheduler.submit([encoding(7)]);
    void scheduler.submit([{ ...encoding(7), typeIds: Int32Array.of(0, 1) }]);
    expect(scheduler.load().queuedItems).toBe(2);
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
