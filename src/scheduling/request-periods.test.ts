import { describe, expect, test } from 'vitest';
import { ServiceError } from '../contracts/errors.ts';
import type { RequestWork } from '../contracts/request-work.ts';
import type { RunReport } from '../contracts/scheduler.ts';
import { createScheduler } from './create-scheduler.ts';
import { codeOf, encoding, FakeLane, LIMITS, MODEL, ownCores, settle } from './testing/fake-lane.ts';

/** At a clock that the test turns. */
function timed() {
  const lane = new FakeLane();
  const clock = { ms: 0 };
  const runs: RunReport[] = [];
  const scheduler = createScheduler({
    lanes: [lane],
    model: MODEL,
    name: 'bge',
    ...LIMITS,
    ...ownCores(),
    nowMs: () => clock.ms,
    onRun: (run) => runs.push(run),
  });
  const finish = async (run: number, ms: number) => {
    clock.ms = ms;
    lane.runs[run]?.finish();
    await settle();
  };
  return { lane, clock, runs, scheduler, finish };
}

describe('the work of a request says how long it waited and ran', () => {
  test('from its first run to its last', async () => {
    const { clock, scheduler, finish } = timed();
    void scheduler.submit([encoding(1)]);
    clock.ms = 10;
    const work: RequestWork = {};
    const rows = scheduler.submit([encoding(2, 3), encoding(3, 4)], { work });
    await finish(0, 50);
    await finish(1, 70);
    await finish(2, 100);
    await rows;
    expect(work).toEqual({ wait: { startMs: 10, endMs: 50 }, run: { startMs: 50, endMs: 100 } });
  });

  test('a request that joins a run has not waited', async () => {
    const { clock, scheduler, finish } = timed();
    void scheduler.submit([encoding(1)]);
    clock.ms = 10;
    const work: RequestWork = {};
    const rows = scheduler.submit([encoding(1)], { work });
    await finish(0, 30);
    await rows;
    expect(work).toEqual({ wait: { startMs: 10, endMs: 10 }, run: { startMs: 10, endMs: 30 } });
  });

  test('one that gives up in the queue has only waited, one that gives up in a run has run', async () => {
    const { clock, scheduler } = timed();
    const gone = new AbortController();
    const [first, second]: RequestWork[] = [{}, {}];
    const both = [
      scheduler.submit([encoding(1)], { signal: gone.signal, work: first }),
      scheduler.submit([encoding(2)], { signal: gone.signal, work: second }),
    ];
    clock.ms = 20;
    gone.abort(new ServiceError('deadline_exceeded', 'too late'));
    expect(await Promise.all(both.map(codeOf))).toEqual(['deadline_exceeded', 'deadline_exceeded']);
    expect(first).toEqual({ wait: { startMs: 0, endMs: 0 }, run: { startMs: 0, endMs: 20 } });
    expect(second).toEqual({ wait: { startMs: 0, endMs: 20 } });
  });
});

describe('each run is reported', () => {
  test('with its items, its tokens and the time that the lane had for it alone', async () => {
    const { lane, clock, runs, scheduler, finish } = timed();
    lane.depth = 2;
    void scheduler.submit([encoding(1, 2), encoding(2, 2), encoding(3, 4)]);
    clock.ms = 1;
    await finish(0, 30);
    await finish(1, 40);
    expect(runs).toEqual([
      { items: 2, tokens: 4, paddingTokens: 0, ms: 30, failed: false },
      { items: 1, tokens: 4, paddingTokens: 0, ms: 10, failed: false },
    ]);
  });

  test('also when it fails, but not when it has not begun', async () => {
    const { lane, clock, runs, scheduler } = timed();
    const code = codeOf(scheduler.submit([encoding(1)]));
    lane.runs[0]?.giveBack();
    await settle();
    expect(runs).toEqual([]);
    clock.ms = 5;
    lane.runs[1]?.fail(new ServiceError('run_failed', 'no'));
    expect(await code).toBe('run_failed');
    expect(runs).toEqual([{ items: 1, tokens: 2, paddingTokens: 0, ms: 5, failed: true }]);
  });
});
