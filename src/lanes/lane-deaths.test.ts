import { describe, expect, test } from 'vitest';
import { inputs, laneUnderTest, outputs } from '../../test/fakes/lanes/lane-under-test.ts';
import { ServiceError } from '../contracts/errors.ts';

describe('a lane whose process dies', () => {
  test('in a run: that run is lost, a new process is started at once, the next run works', async () => {
    const { lane, states, current, open, answerRun, timers, elapse } = laneUnderTest();
    open();
    const run = lane.run(inputs);
    current().die('signal SIGKILL');
    await expect(run).rejects.toMatchObject({
      code: 'lane_lost',
      message: 'The inference process of this model ended during the run (signal SIGKILL). It is being started again.',
    });
    expect(lane.state).toBe('lost');
    expect(lane.pid).toBeUndefined();
    expect(timers.at(-1)?.delayMs).toBe(0);
    elapse();
    expect(lane.pid).toBe(2);
    open();
    const next = lane.run(inputs);
    answerRun();
    expect(await next).toEqual(outputs);
    expect(states).toEqual(['ready', 'busy', 'lost', 'starting', 'ready', 'busy', 'ready']);
  });

  test('with a second run in hand: only the first had started, the second can be asked again', async () => {
    const { lane, current, open, answerRun } = laneUnderTest();
    open();
    const runs = [lane.run(inputs), lane.run(inputs)];
    answerRun();
    const third = lane.run(inputs);
    current().die('signal SIGKILL');
    expect(await runs[0]).toEqual(outputs);
    await expect(runs[1]).rejects.toMatchObject({ code: 'lane_lost' });
    expect(await third).toBeUndefined();
    expect(lane.freeRuns).toBe(0);
  });

  test('in every run: the pauses grow until a run is answered', () => {
    const { lane, current, open, answerRun, timers, elapse } = laneUnderTest();
    const dieInARun = () => {
      open();
      lane.run(inputs).catch(() => undefined);
      current().die('exit code 1');
      elapse();
    };
    for (let death = 0; death < 4; death += 1) dieInARun();
    open();
    void lane.run(inputs);
    answerRun();
    current().die('exit code 1');
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([0, 200, 400, 800, 0]);
  });

  test('on every start: it is given up with the reason', async () => {
    const { lane, started, current, elapse, logger } = laneUnderTest();
    const ready = lane.whenReady();
    for (let start = 1; start < 5; start += 1) {
      current().die('exit code 3');
      expect(lane.state).toBe('lost');
      elapse();
    }
    current().die('signal SIGABRT');
    expect(lane.state).toBe('failed');
    expect(started).toHaveLength(5);
    const expected = {
      code: 'model_failed',
      message: 'The inference process of this model ended 5 times while it was starting (last: signal SIGABRT).',
    };
    await expect(ready).rejects.toMatchObject(expected);
    await expect(lane.whenReady()).rejects.toMatchObject(expected);
    expect(logger.error).toHaveBeenCalledOnce();
  });

  test('after saying on the first start why it cannot open: it is given up at once', async () => {
    const { lane, started, current, refuse } = laneUnderTest();
    refuse(new ServiceError('invalid_checkpoint', 'The graph is damaged.'));
    expect(current().killed).toBe(true);
    current().die('signal SIGKILL');
    expect(lane.state).toBe('failed');
    expect(started).toHaveLength(1);
    await expect(lane.whenReady()).rejects.toMatchObject({ code: 'model_failed', message: 'The graph is damaged.' });
  });

  test('after saying so on later starts: it was open once, so it is tried for as long as it takes', async () => {
    const { lane, current, open, refuse, elapse } = laneUnderTest();
    open();
    current().die('signal SIGKILL');
    for (let start = 0; start < 20; start += 1) {
      elapse();
      refuse(new ServiceError('model_failed', 'Not enough memory.'));
      current().die('signal SIGKILL');
      expect(lane.state).toBe('lost');
    }
    elapse();
    open();
    await lane.whenReady();
    expect(lane.state).toBe('ready');
  });
});

describe('a lane whose process does nothing for too long', () => {
  test('in a run: it is killed, the run is lost with the limit as the reason, a new process is started', async () => {
    const { lane, current, open, elapseLimit, timers } = laneUnderTest();
    open();
    const run = lane.run(inputs, 600_000);
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([150_000]);
    elapseLimit();
    expect(current().killed).toBe(true);
    current().die('signal SIGKILL');
    await expect(run).rejects.toMatchObject({
      code: 'lane_lost',
      message:
        'The inference process of this model ended during the run (a run was not answered after 600 s, the limit for it). It is being started again.',
    });
    expect([lane.state, timers.at(-1)?.delayMs]).toEqual(['lost', 0]);
  });

  test('an answered run is watched no more; the next one has its own time, from when it begins', async () => {
    const { lane, current, open, answerRun, timers } = laneUnderTest();
    open();
    const runs = [lane.run(inputs, 4000), lane.run(inputs, 8000)];
    expect(timers.map(({ delayMs, cancelled }) => [delayMs, cancelled])).toEqual([[1000, false]]);
    answerRun();
    expect(timers.map(({ delayMs, cancelled }) => [delayMs, cancelled])).toEqual([
      [1000, true],
      [2000, false],
    ]);
    answerRun();
    await Promise.all(runs);
    expect(timers.every(({ cancelled }) => cancelled)).toBe(true);
    expect(current().killed).toBe(false);
  });

  test('a run without a limit may take as long as it likes', () => {
    const { lane, open, timers } = laneUnderTest();
    open();
    void lane.run(inputs);
    expect(timers).toEqual([]);
  });

  test('at its start: it is killed and started again; the second time, a model that was never open is given up', async () => {
    const { lane, started, current, elapse, elapseLimit } = laneUnderTest(60_000);
    const ready = lane.whenReady();
    elapseLimit();
    expect(current().killed).toBe(true);
    current().die('signal SIGKILL');
    elapse();
    elapseLimit();
    current().die('signal SIGKILL');
    expect([lane.state, started.length]).toEqual(['failed', 2]);
    const message =
      'The inference process of this model ended 2 times while it was starting (last: its session was not open after 60 s, the limit for it).';
    await expect(ready).rejects.toMatchObject({ code: 'model_failed', message });
  });

  test('once it is open, its start is watched no more', () => {
    const { open, timers } = laneUnderTest(60_000);
    open();
    expect(timers.map(({ cancelled }) => cancelled)).toEqual([true]);
  });
});

describe('a lane that was open and dies again and again', () => {
  test('is given little hope after five deaths, says why, and is sound again once it is open', () => {
    const { lane, current, open, elapse, logger } = laneUnderTest();
    open();
    current().die('exit code 1');
    for (let death = 2; death < 5; death += 1) {
      elapse();
      current().die('exit code 1');
      expect(lane.failure).toBeUndefined();
    }
    elapse();
    current().die('signal SIGSEGV');
    const reason = {
      code: 'model_failed',
      message:
        'The inference process of this model has ended 5 times in a row (last: signal SIGSEGV). It is still being started again.',
    };
    expect(lane.failure).toMatchObject(reason);
    elapse();
    expect([lane.state, lane.failure?.code]).toEqual(['starting', 'model_failed']);
    current().die('signal SIGSEGV');
    expect(logger.error).toHaveBeenCalledOnce();
    elapse();
    open();
    expect([lane.state, lane.failure]).toEqual(['ready', undefined]);
  });
});
