import { describe, expect, test } from 'vitest';
import { inputs, laneUnderTest, outputs } from '../../test/fakes/lanes/lane-under-test.ts';
import type { LaneState } from '../contracts/lane.ts';
import { readOpenRequest } from './control-messages.ts';
import { decodeTensors, encodeTensorFrame } from './tensor-frame.ts';

describe('a lane', () => {
  test('opens the graph, takes runs and says which state it is in', async () => {
    const { lane, states, current, open, answerRun } = laneUnderTest();
    expect(lane.state).toBe('starting');
    expect(lane.pid).toBe(1);
    expect(current().options.title).toBe('infinity-lane a/b');
    const [openFrame] = current().received;
    expect(readOpenRequest(openFrame?.payload ?? new Uint8Array())).toEqual({
      graphPath: '/cache/model.onnx',
      options: { threads: 2 },
    });
    open();
    await lane.whenReady();
    const answer = lane.run(inputs);
    expect(lane.state).toBe('busy');
    expect(decodeTensors(current().received[1]?.payload ?? new Uint8Array())).toEqual(inputs);
    answerRun();
    expect(lane.state).toBe('ready');
    expect(await answer).toEqual(outputs);
    expect(states).toEqual(['ready', 'busy', 'ready']);
  });

  test('whenReady waits for the run in hand', async () => {
    const { lane, open, answerRun } = laneUnderTest();
    open();
    const order: string[] = [];
    const run = lane.run(inputs).then(() => order.push('ran'));
    const ready = lane.whenReady().then(() => order.push('ready'));
    await Promise.resolve();
    expect(order).toEqual([]);
    answerRun();
    await Promise.all([run, ready]);
    expect(order).toHaveLength(2);
  });

  test('a listener is not called within the call that changes the state, nor after it was taken away', async () => {
    const { lane, open } = laneUnderTest();
    const heard: LaneState[] = [];
    const stop = lane.onStateChange((state) => heard.push(state));
    open();
    expect(heard).toEqual([]);
    await Promise.resolve();
    expect(heard).toEqual(['ready']);
    stop();
    const run = lane.run(inputs);
    await Promise.resolve();
    expect(heard).toEqual(['ready']);
    void run.catch(() => undefined);
  });

  test('takes the next run while it works on the one before, and answers them in order', async () => {
    const { lane, states, current, open, answerRun } = laneUnderTest();
    expect(lane.freeRuns).toBe(0);
    open();
    expect(lane.freeRuns).toBe(2);
    const answers = [lane.run(inputs), lane.run(inputs)];
    expect(lane.freeRuns).toBe(0);
    expect(current().received.map(({ kind }) => kind)).toEqual(['open', 'run', 'run']);
    answerRun();
    expect([lane.state, lane.freeRuns]).toEqual(['busy', 1]);
    answerRun();
    expect(await Promise.all(answers)).toEqual([outputs, outputs]);
    expect(states).toEqual(['ready', 'busy', 'ready']);
  });

  test('refuses a run without room for it', async () => {
    const { lane, open } = laneUnderTest();
    await expect(lane.run(inputs)).rejects.toThrow("it is 'starting' with 0 runs in hand, the limit is 2");
    open();
    void lane.run(inputs);
    void lane.run(inputs);
    await expect(lane.run(inputs)).rejects.toThrow("it is 'busy' with 2 runs in hand, the limit is 2");
  });

  test('a tensor that cannot be sent fails the run and leaves the lane ready', async () => {
    const { lane, open } = laneUnderTest();
    open();
    const wrong = [{ name: 'input_ids', dims: [3, 3], data: Int32Array.of(1) }];
    await expect(lane.run(wrong)).rejects.toThrow('dims [3,3] and 1 elements');
    expect(lane.state).toBe('ready');
  });

  test('a run that throws rejects with run_failed; its text goes to the log only', async () => {
    const { lane, open, refuse, logger } = laneUnderTest();
    open();
    const run = lane.run(inputs);
    refuse(new Error('idx=99999 out of bounds'));
    await expect(run).rejects.toMatchObject({ code: 'run_failed', message: 'Cannot be opened.' });
    expect(lane.state).toBe('ready');
    expect(logger.error).toHaveBeenCalledWith('A run failed.', { model: 'a/b', reason: 'idx=99999 out of bounds' });
  });

  test('an answer to another question is refused', () => {
    const { lane, current, open } = laneUnderTest();
    open();
    void lane.run(inputs);
    expect(() => current().answer(encodeTensorFrame('ran', 99, outputs))).toThrow("'ran' has id 99; expected 2");
    void lane.run(inputs);
    expect(() => current().answer(encodeTensorFrame('ran', 3, outputs))).toThrow("'ran' has id 3; expected 2");
    expect(lane.state).toBe('busy');
  });

  test('an answer that nobody asked for is refused', () => {
    const { current, open } = laneUnderTest();
    open();
    expect(() => current().answer(encodeTensorFrame('ran', 1, outputs))).toThrow("came while the lane was 'ready'");
  });
});

describe('closing a lane', () => {
  const closed = { code: 'shutting_down', message: "The inference process of 'a/b' has been closed." };

  test('that is ready ends the process and waits for its exit', async () => {
    const { lane, current, open, timers } = laneUnderTest();
    open();
    const close = lane.close();
    expect(lane.state).toBe('closed');
    expect(current().ending).toBe(true);
    expect(current().killed).toBe(false);
    await expect(lane.whenReady()).rejects.toMatchObject(closed);
    current().die('exit code 0');
    await close;
    expect(timers).toEqual([]);
    expect(lane.pid).toBeUndefined();
  });

  test('that is busy finishes the runs in hand first and takes no other', async () => {
    const { lane, states, current, open, answerRun, timers } = laneUnderTest();
    open();
    const runs = [lane.run(inputs), lane.run(inputs)];
    const close = lane.close();
    answerRun();
    expect([lane.state, lane.freeRuns]).toEqual(['busy', 0]);
    expect(current().ending).toBe(false);
    answerRun();
    expect(await Promise.all(runs)).toEqual([outputs, outputs]);
    expect(current().ending).toBe(true);
    current().die('exit code 0');
    await close;
    expect(states).toEqual(['ready', 'busy', 'closed']);
    expect(timers.map(({ cancelled }) => cancelled)).toEqual([true]);
  });

  test('that hangs in a run kills it after a bound, and the run is told', async () => {
    const { lane, current, open, elapse } = laneUnderTest();
    open();
    const run = lane.run(inputs);
    const close = lane.close();
    elapse();
    expect(current().killed).toBe(true);
    current().die('signal SIGKILL');
    await expect(run).rejects.toMatchObject({
      code: 'lane_lost',
      message: 'The inference process of this model ended during the run (signal SIGKILL).',
    });
    await close;
  });

  test('that is starting kills it; whoever waits is told', async () => {
    const { lane, current, open } = laneUnderTest();
    const ready = lane.whenReady();
    const close = lane.close();
    expect(current().killed).toBe(true);
    await expect(ready).rejects.toMatchObject(closed);
    open();
    expect(lane.state).toBe('closed');
    current().die('signal SIGKILL');
    await close;
  });

  test('that is lost cancels the restart', async () => {
    const { lane, started, current, open, timers } = laneUnderTest();
    open();
    current().die('exit code 1');
    await lane.close();
    expect(lane.state).toBe('closed');
    expect(timers.at(-1)?.cancelled).toBe(true);
    expect(started).toHaveLength(1);
  });

  test('twice is the same as once', async () => {
    const { lane, current, open } = laneUnderTest();
    open();
    const first = lane.close();
    expect(lane.close()).toBe(first);
    current().die('exit code 0');
    await first;
  });
});
