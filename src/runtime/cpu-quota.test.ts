import { expect, test } from 'vitest';
import { cgroupAndParents, parseCgroupPath, parseCpuMax, threadsFor } from './cpu-quota.ts';

test.each([
  ['max 100000\n', undefined],
  ['200000 100000\n', 2],
  ['150000 100000', 1.5],
  ['', undefined],
  ['0 0', undefined],
])('cpu.max %j grants %s cores', (text, cores) => {
  expect(parseCpuMax(text)).toBe(cores);
});

test('the group of the unified hierarchy is found among the others', () => {
  expect(parseCgroupPath('12:cpu,cpuacct:/other\n0::/kubepods/pod1\n')).toBe('/kubepods/pod1');
  expect(parseCgroupPath('12:cpu,cpuacct:/other\n')).toBeUndefined();
});

test('limits of all groups above count', () => {
  expect(cgroupAndParents('/a/b')).toEqual(['/a/b', '/a', '/']);
  expect(cgroupAndParents('/')).toEqual(['/']);
});

test.each([
  [8, [], 8],
  [8, [4, 2.5], 2],
  [2, [16], 2],
  [4, [0.5], 1],
])('%i cores with quotas %j are %i threads', (cores, quotas, threads) => {
  expect(threadsFor(cores, quotas)).toBe(threads);
});
