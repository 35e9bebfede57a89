import { describe, expect, test, vi } from 'vitest';
import { fakeProcesses } from '../../test/fakes/lanes/fake-inference-process.ts';
import type { CompileRequest } from '../contracts/compile-job.ts';
import type { CompiledModel } from '../contracts/compiled-model.ts';
import { ServiceError } from '../contracts/errors.ts';
import { encodeControlFrame, readCompileRequest } from './control-messages.ts';
import { encodeFailure } from './failure-message.ts';
import { createCompileJob } from './run-compile-job.ts';

const request: CompileRequest = {
  modelId: 'a/b',
  modelPath: '/models/a',
  dtype: 'float32',
  onQualityLoss: 'fall-back',
  architecture: 'x64',
  cpuAbilities: [],
  threads: 1,
  task: 'auto',
  pooling: 'auto',
  outputFolder: '/cache/c',
  contentKey: 'key',
};
const compiled: CompiledModel = {
  graphPath: '/cache/c/model.onnx',
  contentKey: 'key',
  tasks: ['rerank'],
  precision: 'float32',
  architecture: 'bert',
  inputs: [{ name: 'input_ids', role: 'input_ids' }],
  outputs: [{ name: 'logits', role: 'logits', per: 'item', width: 1, firstToken: 0, ignoredIds: [] }],
  vocabularySize: 10,
  maxPositions: 16,
  unreadTensors: [],
};

function jobUnderTest(signal?: AbortSignal) {
  const { started, startProcess } = fakeProcesses();
  const logger = { error: vi.fn(), warning: vi.fn(), info: vi.fn(), debug: vi.fn() };
  const result = createCompileJob({ laneMain: '/dist/lane-main.js', logger, startProcess })(request, signal);
  result.catch(() => undefined);
  return { result, logger, started };
}

describe('a compile job', () => {
  test('sends the request and resolves once the process has exited', async () => {
    const { result, started } = jobUnderTest();
    const [process] = started;
    expect(process?.options.title).toBe('infinity-compile a/b');
    expect(readCompileRequest(process?.received[0]?.payload ?? new Uint8Array())).toEqual(request);
    const settled = vi.fn();
    void result.then(settled);
    process?.answer(encodeControlFrame('compiled', 1, compiled));
    await Promise.resolve();
    expect(settled).not.toHaveBeenCalled();
    process?.die('exit code 0');
    expect(await result).toEqual(compiled);
  });

  test('rejects with what the compiler found wrong', async () => {
    const { result, started, logger } = jobUnderTest();
    const error = new ServiceError('unsupported_architecture', 'No.', { param: 'model', cause: new Error('x1') });
    started[0]?.answer(encodeFailure(1, error, { code: 'compile_failed', message: 'unused' }));
    started[0]?.die('exit code 0');
    await expect(result).rejects.toMatchObject({ code: 'unsupported_architecture', message: 'No.', param: 'model' });
    expect(logger.error).toHaveBeenCalledWith('No.', { model: 'a/b', detail: 'x1' });
  });

  test('rejects with the way the process died', async () => {
    const { result, started } = jobUnderTest();
    started[0]?.die('signal SIGABRT');
    await expect(result).rejects.toMatchObject({
      code: 'compile_failed',
      message: "Compiling 'a/b' failed: its process ended before it was done (signal SIGABRT).",
    });
  });

  test('an abort kills the process and rejects when it is gone', async () => {
    const abort = new AbortController();
    const { result, started } = jobUnderTest(abort.signal);
    abort.abort();
    expect(started[0]?.killed).toBe(true);
    started[0]?.die('signal SIGKILL');
    await expect(result).rejects.toMatchObject({ code: 'shutting_down', message: "Compiling 'a/b' was stopped." });
  });

  test('an abort that came before starts nothing', async () => {
    const { result, started } = jobUnderTest(AbortSignal.abort());
    await expect(result).rejects.toMatchObject({ code: 'shutting_down' });
    expect(started).toEqual([]);
  });

  test('any other frame is refused', () => {
    const { started } = jobUnderTest();
    expect(() => started[0]?.answer(encodeControlFrame('opened', 1, {}))).toThrow(
      "'opened' came from a compile process",
    );
  });
});
