import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { readProcess, readProcessTree } from './read-process.ts';

const onLinux = test.runIf(process.platform === 'linux');

onLinux('a process and what it has started are found, each once', async () => {
  const child = spawn('sleep', ['60']);
  onTestFinished(() => {
    child.kill();
  });
  await once(child, 'spawn');
  const pid = child.pid ?? -1;
  const tree = await readProcessTree(process.pid, [pid]);
  const ids = tree.map((each) => each.pid);
  expect(ids.filter((id) => id === pid)).toEqual([pid]);
  expect(ids.filter((id) => id === process.pid)).toEqual([process.pid]);
  expect((await readProcessTree(process.pid)).map((each) => each.pid)).toContain(pid);

  const own = tree.find((each) => each.pid === process.pid);
  expect(own?.residentBytes).toBeGreaterThan(10e6);
  expect(own?.cpuSeconds).toBeGreaterThan(0);
  expect(own?.proportionalBytes).toBeGreaterThan(0);
  expect(own?.proportionalBytes).toBeLessThanOrEqual(own?.residentBytes ?? 0);
});

test('a process that is gone has no figures', async () => {
  expect(await readProcess(2 ** 30)).toBeUndefined();
});
