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
