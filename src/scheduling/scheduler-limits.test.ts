import { describe, expect, test } from 'vitest';
import { createScheduler } from './create-scheduler.ts';
import { codeOf, encoding, FakeLane, LIMITS, MODEL, numbersOf, ownCores, settle } from './testing/fake-lane.ts';

describe('overload', () => {
  const full = { ...LIMITS, ...ownCores(), maxQueuedTokens: 8, maxQueuedItems: 3 };
  const busy = () => createScheduler({ lanes: [new FakeLane('starting')], model: MODEL, name: 'bge', ...full });

  test('a request that does not fit is refused with limit, load and a time to wait', async () => {
    const scheduler = busy();
    void scheduler.submit([encoding(1, 6)]);
    await expect(scheduler.submit([encoding(2, 3)])).rejects.toMatchObject({
      code: 'overloaded',
      retryAfterS: 1,
      message:
        'model bge is currently overloaded: 6 tokens wait and this request adds 3, the limit is 8 (--max-queued-tokens). Try again in 1 s',
    });
    void scheduler.submit([encoding(3, 2)]);
    expect(scheduler.load()).toEqual({ queuedItems: 2, queuedTokens: 8, runningItems: 0 });
  });

  test('what is reserved counts until it is given up, once', async () => {
    const scheduler = busy();
    const release = scheduler.reserve({ items: 1, tokens: 6 });
    expect(() => scheduler.reserve({ items: 1, tokens: 3 })).toThrow('6 tokens wait');
    expect(await codeOf(scheduler.submit([encoding(2, 3)]))).toBe('overloaded');
    release();
    release();
    void scheduler.submit([encoding(2, 8)]);
    expect(() => scheduler.reserve({ items: 1, tokens: 1 })).toThrow('8 tokens wait');
  });
});

describe('deadlines', () => {
  /** A scheduler whose lane has run 8 tokens in 100 ms. */
  async function afterARun() {
    const clock = { now: 0 };
    const lane = new FakeLane();
    const options = { lanes: [lane], model: MODEL, name: 'bge', ...LIMITS, ...ownCores() };
    const scheduler = createScheduler({ ...options, nowMs: () => clock.now });
    void scheduler.submit([encoding(1, 8)]);
    clock.now = 100;
    lane.runs[0]?.finish();
    await settle();
    return { clock, lane, scheduler };
  }

  test('a request that can no longer be answered in time leaves the queue', async () => {
    const { clock, lane, scheduler } = await afterARun();
    // The 4 tokens of the first are possible, the 8 of the second are not.
    void scheduler.submit([encoding(2, 8)]);
    const possible = scheduler.submit([encoding(3, 4)], { deadlineMs: 160 });
    expect(await codeOf(scheduler.submit([encoding(4, 8)], { deadlineMs: 199 }))).toBe('deadline_exceeded');
    expect(scheduler.load().queuedItems).toBe(1);
    clock.now = 150;
    lane.runs[1]?.finish();
    expect(await codeOf(possible)).toBe('deadline_exceeded');
    expect(scheduler.load()).toEqual({ queuedItems: 0, queuedTokens: 0, runningItems: 0 });
  });

  test('a run that has begun is not given up', async () => {
    const { clock, lane, scheduler } = await afterARun();
    const begun = scheduler.submit([encoding(2, 8)], { deadlineMs: 205 });
    clock.now = 190;
    void scheduler.submit([encoding(3, 8)]);
    lane.runs[1]?.finish();
    expect(numbersOf(await begun)).toEqual([[2]]);
  });
});
