import os from 'node:os';
import process from 'node:process';
import { expect, test } from 'vitest';
import { describeMachine } from './machine.ts';
import { openSession } from './open-session.ts';
import { runtimeVersion } from './runtime-version.ts';

interface ProcessReport {
  readonly sharedObjects: readonly string[];
}

function loadedLibraries(): readonly string[] {
  const report: unknown = process.report.getReport();
  return (report as ProcessReport).sharedObjects;
}

test('describes this machine', () => {
  const machine = describeMachine();
  expect(machine.architecture).toBe(process.arch);
  expect(machine.threads).toBeGreaterThanOrEqual(1);
  expect(machine.threads).toBeLessThanOrEqual(os.availableParallelism());
});

test('a container with 1.5 cores and 1 GB is a machine of one thread and 1 GB', () => {
  const files: Record<string, string> = {
    '/proc/self/cgroup': '0::/\n',
    '/sys/fs/cgroup/cpu.max': '150000 100000\n',
    '/sys/fs/cgroup/memory.max': '1073741824\n',
    '/proc/cpuinfo': 'flags\t\t: fpu avx2 fma\n',
  };
  const machine = describeMachine((filePath) => files[filePath] ?? '');
  expect(machine).toMatchObject({ threads: 1, memoryBytes: 2 ** 30, cpuAbilities: expect.arrayContaining(['avx2']) });
});

test('half a core is one thread', () => {
  const files: Record<string, string> = { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '50000 100000\n' };
  expect(describeMachine((filePath) => files[filePath] ?? '')).toMatchObject({
    threads: 1,
    memoryBytes: os.totalmem(),
  });
});

test('the version is that of the installed package', () => {
  expect(runtimeVersion()).toMatch(/^\d+\.\d+\.\d+/);
});

test('nothing but a session loads ONNX Runtime', async () => {
  describeMachine();
  runtimeVersion();
  const isRuntime = (library: string) => library.includes('onnxruntime');
  expect(loadedLibraries().filter(isRuntime)).toEqual([]);
  await expect(openSession('/nowhere/graph.onnx', { threads: 1 })).rejects.toMatchObject({ code: 'model_failed' });
  expect(loadedLibraries().filter(isRuntime)).not.toEqual([]);
});
