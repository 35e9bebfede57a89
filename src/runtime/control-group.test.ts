import { expect, test } from 'vitest';
import { readGroupLimits } from './control-group.ts';

const GB = 2 ** 30;

test.each<[string, Record<string, string>, { cores: number[]; memoryBytes: number[] }]>([
  ['no control groups', {}, { cores: [], memoryBytes: [] }],
  [
    'a container: its own group is the root of what it sees',
    {
      '/proc/self/cgroup': '0::/\n',
      '/sys/fs/cgroup/cpu.max': '250000 100000\n',
      '/sys/fs/cgroup/memory.max': `${2 * GB}\n`,
    },
    { cores: [2.5], memoryBytes: [2 * GB] },
  ],
  [
    'a container that is told the path of the host',
    {
      '/proc/self/cgroup': '0::/kubepods/pod1/container\n',
      '/sys/fs/cgroup/cpu.max': '100000 100000\n',
      '/sys/fs/cgroup/memory.max': `${GB}\n`,
    },
    { cores: [1], memoryBytes: [GB] },
  ],
  [
    'groups within groups: each of them holds',
    {
      '/proc/self/cgroup': '0::/slice/service\n',
      '/sys/fs/cgroup/slice/service/cpu.max': 'max 100000\n',
      '/sys/fs/cgroup/slice/cpu.max': '400000 100000\n',
      '/sys/fs/cgroup/slice/service/memory.max': `${8 * GB}\n`,
      '/sys/fs/cgroup/slice/memory.max': `${4 * GB}\n`,
      '/sys/fs/cgroup/memory.max': 'max\n',
    },
    { cores: [4], memoryBytes: [8 * GB, 4 * GB] },
  ],
  [
    'version 1, with the controllers together and apart',
    {
      '/proc/self/cgroup': '9:name=systemd:/\n4:memory:/docker/abc\n1:cpu,cpuacct:/docker/abc\n0::/\n',
      '/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us': '150000\n',
      '/sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us': '100000\n',
      '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us': '-1\n',
      '/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us': '100000\n',
      '/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes': `${3 * GB}\n`,
      '/sys/fs/cgroup/memory/memory.limit_in_bytes': '9223372036854771712\n',
    },
    { cores: [1.5], memoryBytes: [3 * GB] },
  ],
  [
    'files that hold no limit',
    { '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': '0 0', '/sys/fs/cgroup/memory.max': '' },
    { cores: [], memoryBytes: [] },
  ],
])('%s', (_case, files, limits) => {
  expect(readGroupLimits((filePath) => files[filePath] ?? '')).toEqual(limits);
});
