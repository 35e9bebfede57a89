/** Path of this process in the unified (version 2) hierarchy, from the text of /proc/self/cgroup. */
export function parseCgroupPath(text: string): string | undefined {
  return /^0::(\/.*)$/m.exec(text)?.[1];
}

/** Cores that the text of a `cpu.max` file grants, as a fraction; `undefined` where it sets no limit. */
export function parseCpuMax(text: string): number | undefined {
  const [quota, period] = text.trim().split(/\s+/).map(Number);
  if (quota === undefined || period === undefined || !(quota > 0) || !(period > 0)) return undefined;
  return quota / period;
}

/** A process is held to the smallest limit of its group and every group above: `/a/b` gives `/a/b`, `/a` and `/`. */
export function cgroupAndParents(cgroupPath: string): readonly string[] {
  const parts = cgroupPath.split('/').filter((part) => part !== '');
  return parts.map((_part, index) => `/${parts.slice(0, parts.length - index).join('/')}`).concat('/');
}

/** Whole threads for a number of cores and quotas: a thread more than granted would be stopped in the middle of a run. */
export function threadsFor(cores: number, quotas: readonly number[]): number {
  return Math.max(1, Math.floor(Math.min(cores, ...quotas)));
}
