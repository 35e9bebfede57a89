import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import type { CompileRequest } from '../../src/contracts/compile-job.ts';
import type { CompiledModel } from '../../src/contracts/compiled-model.ts';
import type { Tensor } from '../../src/contracts/inference-session.ts';
import type { Lane } from '../../src/contracts/lane.ts';
import type { Logger } from '../../src/contracts/logger.ts';
import { createCompileJob } from '../../src/lanes/run-compile-job.ts';
import { startLane } from '../../src/lanes/start-lane.ts';
import { temporaryFolder } from '../fakes/temporary-folder.ts';
import { measureLaneCall } from './support/measure-lane-call.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`../fakes/lanes/${name}`, import.meta.url));
const LANE_MAIN = fixture('fake-lane-main.mjs');
const logger: Logger = { error() {}, warning() {}, info() {}, debug() {} };
const RESTART = { maxStarts: 3, maxHungStarts: 2, firstDelayMs: 10, maxDelayMs: 20 };

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

function laneOn(graphPath: string): Lane {
  const compiled: CompiledModel = {
    graphPath,
    contentKey: 'key',
    tasks: ['embed'],
    precision: 'float32',
    architecture: 'fake',
    inputs: [{ name: 'input_ids', role: 'input_ids' }],
    outputs: [{ name: 'embedding', role: 'embedding', per: 'item', width: 1, firstToken: 0, ignoredIds: [] }],
    vocabularySize: 10,
    maxPositions: 16,
    unreadTensors: [],
  };
  const lane = startLane({ compiled, threads: 1, laneMain: LANE_MAIN, logger, name: 'some/model', restart: RESTART });
  cleanUps.push(async () => {
    const closed = lane.close();
    if (lane.pid !== undefined) process.kill(lane.pid, 'SIGKILL');
    await closed;
  });
  return lane;
}

async function readyLane(): Promise<Lane> {
  const lane = laneOn('good');
  await lane.whenReady();
  return lane;
}

function pidOf(lane: Lane): number {
  if (lane.pid === undefined) throw new Error(`the lane has no process; it is '${lane.state}'`);
  return lane.pid;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // Where nothing reaps orphans (a container without an init), a dead process stays in the table.
  return !execFileSync('ps', ['-o', 'stat=', '-p', String(pid)])
    .toString()
    .startsWith('Z');
}

async function waitUntil(condition: () => boolean, boundMs = 5000): Promise<number> {
  const startedMs = performance.now();
  while (!condition()) {
    if (performance.now() - startedMs > boundMs) throw new Error(`not within ${boundMs} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return performance.now() - startedMs;
}

const input = (name: string): Tensor => ({ name, dims: [2, 2], data: Int32Array.of(1, -2, 3, 2 ** 31 - 1) });

describe('a lane in a process of its own', () => {
  test('gives back what the session gives, to the bit, in small and large tensors', async () => {
    const lane = await readyLane();
    const bits = Uint32Array.from({ length: 300_000 }, (_, index) => index * 2654435761);
    const tensors: Tensor[] = [
      input('echo'),
      { name: 'empty', dims: [0, 384], data: new Float32Array(0) },
      { name: 'every kind of number', dims: [300, 1000], data: new Float32Array(bits.buffer) },
    ];
    const outputs = (await lane.run(tensors)) ?? [];
    expect(outputs.map(({ name, dims }) => ({ name, dims }))).toEqual(
      tensors.map(({ name, dims }) => ({ name, dims })),
    );
    const bytesOf = ({ data }: Tensor): Buffer => Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    for (const [index, tensor] of tensors.entries()) {
      expect(outputs[index]?.data.constructor).toBe(tensor.data.constructor);
      expect(outputs[index] && bytesOf(outputs[index]).equals(bytesOf(tensor))).toBe(true);
    }
  });

  test('answers a small run in well under a millisecond', async () => {
    const lane = await readyLane();
    const ids: Tensor = { name: 'echo', dims: [1, 8], data: new Int32Array(8) };
    const { p50Ms } = await measureLaneCall(lane, [ids, ids], 1000);
    expect(p50Ms).toBeLessThan(0.3);
  });

  test('an exception in a run fails that run; the process and the next run go on', async () => {
    const lane = await readyLane();
    const pid = lane.pid;
    await expect(lane.run([input('throw')])).rejects.toMatchObject({ code: 'run_failed' });
    expect(await lane.run([input('echo')])).toEqual([input('echo')]);
    expect(lane.pid).toBe(pid);
  });

  test('is named for ps, and knows no secret of its parent', async () => {
    process.env.INFINITY_API_KEY = 'a secret';
    cleanUps.push(() => delete process.env.INFINITY_API_KEY);
    const lane = await readyLane();
    const title = execFileSync('ps', ['-o', 'args=', '-p', String(pidOf(lane))]).toString();
    expect(title.trim()).toBe('infinity-lane some/model');
    const [names] = (await lane.run([input('environment')])) ?? [];
    expect(names?.name.split(',')).toContain('PATH');
    expect(names?.name).not.toContain('INFINITY_API_KEY');
  });

  test('killed during a run: that run is lost, another process takes over, the next run works', async () => {
    const lane = await readyLane();
    const run = lane.run([input('hang')]);
    process.kill(pidOf(lane), 'SIGKILL');
    await expect(run).rejects.toMatchObject({
      code: 'lane_lost',
      message: expect.stringContaining('ended during the run (signal SIGKILL). It is being started again.'),
    });
    await lane.whenReady();
    expect(await lane.run([input('echo')])).toEqual([input('echo')]);
  });

  test.each([
    ['exits', 'exit', 'exit code 7'],
    ['writes what is no frame and hangs', 'garbage', 'A lane frame'],
  ])('that %s in a run is replaced', async (_, run, reason) => {
    const lane = await readyLane();
    await expect(lane.run([input(run)])).rejects.toMatchObject({
      code: 'lane_lost',
      message: expect.stringContaining(reason),
    });
    await lane.whenReady();
    expect(await lane.run([input('echo')])).toEqual([input('echo')]);
  });

  test('killed while idle: another process takes over', async () => {
    const lane = await readyLane();
    const before = pidOf(lane);
    process.kill(before, 'SIGKILL');
    await waitUntil(() => lane.state !== 'ready');
    await lane.whenReady();
    expect(lane.pid).not.toBe(before);
  });

  test.each([
    ['exits', 'crash', 'ended 3 times while it was starting (last: exit code 3)'],
    ['aborts', 'abort', 'ended 3 times while it was starting (last: signal SIGABRT)'],
    ['refuses the graph', 'refuse', 'The session could not be opened.'],
  ])('that %s on every start has failed', async (_, graphPath, reason) => {
    const lane = laneOn(graphPath);
    await expect(lane.whenReady()).rejects.toMatchObject({
      code: 'model_failed',
      message: expect.stringContaining(reason),
    });
    expect(lane.state).toBe('failed');
    expect(lane.pid).toBeUndefined();
  });

  test('ignores the signals that a terminal sends to the whole process group', async () => {
    const lane = await readyLane();
    const pid = pidOf(lane);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.kill(pid, signal);
    expect(await lane.run([input('echo')])).toEqual([input('echo')]);
    expect(lane.pid).toBe(pid);
  });
});

describe('closing a lane', () => {
  test('ends an idle process', async () => {
    const lane = await readyLane();
    const pid = pidOf(lane);
    await lane.close();
    expect(isAlive(pid)).toBe(false);
  });

  test('lets the run in hand finish', async () => {
    const lane = await readyLane();
    const folder = temporaryFolder();
    const [started, released] = [path.join(folder, 'started'), path.join(folder, 'released')];
    const wait = input(`wait:${started}:${released}`);
    const run = lane.run([wait]);
    await waitUntil(() => existsSync(started));
    const close = lane.close();
    writeFileSync(released, '');
    expect(await run).toEqual([wait]);
    await close;
    expect(lane.state).toBe('closed');
  });

  test('kills a process that does not exit by itself', async () => {
    const lane = await readyLane();
    const pid = pidOf(lane);
    await lane.run([input('hang-afterwards')]);
    await lane.close();
    expect(isAlive(pid)).toBe(false);
  });

  test('kills a process that hangs at its start', async () => {
    const lane = laneOn('hang');
    const pid = pidOf(lane);
    await lane.close();
    expect(isAlive(pid)).toBe(false);
  });
});

describe('when the server is killed', () => {
  async function ownerOf(...args: readonly string[]): Promise<{ owner: ChildProcess; lanePid: number }> {
    const owner = spawn(process.execPath, [fixture('lane-owner.mjs'), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const line = await new Promise<string>((resolve) => owner.stdout?.once('data', (chunk) => resolve(String(chunk))));
    const lanePid = Number(line);
    cleanUps.push(() => {
      owner.kill('SIGKILL');
      if (isAlive(lanePid)) process.kill(lanePid, 'SIGKILL');
    });
    return { owner, lanePid };
  }

  test.each([
    ['idle', ['good']],
    ['in the middle of a run', ['good', 'hang']],
    ['opening its session', ['hang']],
  ])('a lane that is %s is gone within a second', async (_, args) => {
    const { owner, lanePid } = await ownerOf(...args);
    expect(isAlive(lanePid)).toBe(true);
    owner.kill('SIGKILL');
    const goneAfterMs = await waitUntil(() => !isAlive(lanePid));
    expect(goneAfterMs).toBeLessThan(1000);
  });
});

test('a process whose parent died before it could look ends itself', async () => {
  const earlierParent = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(earlierParent, 'exit');
  const orphan = spawn(process.execPath, [LANE_MAIN, String(earlierParent.pid), 'orphan'], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  expect(await once(orphan, 'exit')).toEqual([null, 'SIGKILL']);
});

describe('a compile job', () => {
  const compile = createCompileJob({ laneMain: LANE_MAIN, logger });
  const request = (modelId: string): CompileRequest => ({
    modelId,
    modelPath: '/models/a',
    dtype: 'float32',
    onQualityLoss: 'fall-back',
    architecture: 'x64',
    cpuAbilities: [],
    threads: 1,
    task: 'auto',
    pooling: 'auto',
    outputFolder: '/cache/b',
    contentKey: 'key',
  });

  test('resolves with the compiled model', async () => {
    expect(await compile(request('good'))).toMatchObject({ graphPath: '/cache/b/model.onnx', contentKey: 'key' });
  });

  test('rejects with what the compiler found wrong', async () => {
    await expect(compile(request('refuse'))).rejects.toMatchObject({
      code: 'invalid_checkpoint',
      message: 'The tensor is too short.',
      param: 'model',
    });
  });

  test('rejects when its process crashes', async () => {
    await expect(compile(request('crash'))).rejects.toMatchObject({
      code: 'compile_failed',
      message: expect.stringContaining('signal SIGABRT'),
    });
  });

  test('ends at once when it is aborted', async () => {
    const abort = new AbortController();
    const job = compile(request('hang'), abort.signal);
    setTimeout(() => abort.abort(), 100);
    await expect(job).rejects.toMatchObject({ code: 'shutting_down' });
  });
});
