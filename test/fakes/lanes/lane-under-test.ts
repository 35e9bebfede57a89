import { vi } from 'vitest';
import type { CompiledModel } from '../../../src/contracts/compiled-model.ts';
import type { Tensor } from '../../../src/contracts/inference-session.ts';
import type { LaneState } from '../../../src/contracts/lane.ts';
import { encodeControlFrame } from '../../../src/lanes/control-messages.ts';
import { encodeFailure } from '../../../src/lanes/failure-message.ts';
import { startLane } from '../../../src/lanes/start-lane.ts';
import { encodeTensorFrame } from '../../../src/lanes/tensor-frame.ts';
import { fakeProcesses } from './fake-inference-process.ts';

const compiled: CompiledModel = {
  graphPath: '/cache/model.onnx',
  contentKey: 'key',
  tasks: ['embed'],
  precision: 'float32',
  architecture: 'bert',
  inputs: [{ name: 'input_ids', role: 'input_ids' }],
  outputs: [{ name: 'embedding', role: 'embedding', per: 'item', width: 2, firstToken: 0, ignoredIds: [] }],
  vocabularySize: 10,
  maxPositions: 16,
  unreadTensors: [],
};
export const inputs: readonly Tensor[] = [{ name: 'input_ids', dims: [1, 2], data: Int32Array.of(1, 2) }];
export const outputs: readonly Tensor[] = [{ name: 'embedding', dims: [1, 2], data: Float32Array.of(0.6, 0.8) }];

/** A lane over fake processes and a clock that only the test moves. */
export function laneUnderTest(startLimitMs?: number) {
  const { started, startProcess } = fakeProcesses();
  const timers: { action: () => void; delayMs: number; cancelled: boolean }[] = [];
  const logger = { error: vi.fn(), warning: vi.fn(), info: vi.fn(), debug: vi.fn() };
  const lane = startLane({
    compiled,
    threads: 2,
    laneMain: '/dist/lane-main.js',
    logger,
    name: 'a/b',
    startProcess,
    startLimitMs,
    schedule(action, delayMs) {
      const timer = { action, delayMs, cancelled: false };
      timers.push(timer);
      return () => {
        timer.cancelled = true;
      };
    },
  });
  const answered = new Map<object, number>();
  const states: LaneState[] = [];
  lane.onStateChange((state) => states.push(state));
  const current = () => {
    const process = started.at(-1);
    if (process === undefined) throw new Error('no process was started');
    return process;
  };
  return {
    lane,
    states,
    started,
    timers,
    logger,
    current,
    open: () => current().answer(encodeControlFrame('opened', current().lastId, {})),
    refuse: (error: unknown) =>
      current().answer(encodeFailure(current().lastId, error, { code: 'model_failed', message: 'Cannot be opened.' })),
    /** Answers the oldest run in hand that has not been answered. */
    answerRun: () => {
      const run = current().received.filter(({ kind }) => kind === 'run')[answered.get(current()) ?? 0];
      answered.set(current(), (answered.get(current()) ?? 0) + 1);
      current().answer(encodeTensorFrame('ran', run?.id ?? 0, outputs));
    },
    elapse: () => timers.at(-1)?.action(),
    /** Lets the whole time pass that the process is given. */
    elapseLimit: () => {
      for (let part = 0; part < 4; part += 1) timers.at(-1)?.action();
    },
  };
}
