/** What a container or a service manager grants this process; each list is empty where nothing is limited. */
export interface GroupLimits {
  /** Cores, as fractions. */
  readonly cores: readonly number[];
  readonly memoryBytes: readonly number[];
}

/** A hierarchy of control groups: where it is mounted, and the path of this process's group in it. */
interface Hierarchy {
  readonly mount: string;
  readonly path: string;
}

const ROOT = '/sys/fs/cgroup';

/**
 * The limits of this process's control group and of each group above it, all of which hold: those of version 2, of version 1
 * (older hosts), or of both side by side. `readText` gives a file's text, empty where there is none. Inside a container the
 * path of the group is often the host's and the files are at the mount itself, which is why the topmost group is asked, too.
 */
export function readGroupLimits(readText: (filePath: string) => string): GroupLimits {
  const groups = readText('/proc/self/cgroup');
  const valuesOf = (controller: string, parse: (read: (name: string) => string) => number | undefined) =>
    groupFolders(findHierarchy(groups, controller))
      .map((folder) => parse((name) => readText(`${folder}/${name}`)))
      .filter((limit) => limit !== undefined);
  return {
    cores: [
      ...valuesOf('', (read) => parseCores(read('cpu.max'))),
      ...valuesOf('cpu', (read) => parseCores(`${read('cpu.cfs_quota_us')} ${read('cpu.cfs_period_us')}`)),
    ],
    memoryBytes: [
      ...valuesOf('', (read) => parseBytes(read('memory.max'))),
      ...valuesOf('memory', (read) => parseBytes(read('memory.limit_in_bytes'))),
    ],
  };
}

/** The hierarchy of a controller of version 1 in the text of /proc/self/cgroup; the empty name is the one of version 2. */
function findHierarchy(groups: string, controller: string): Hierarchy | undefined {
  for (const line of groups.split('\n')) {
    const [, names = '', path = ''] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (path !== '' && names.split(',').includes(controller))
      return { mount: names === '' ? ROOT : `${ROOT}/${names}`, path };
  }
  return undefined;
}

/** `/a/b` gives the folders of `/a/b`, `/a` and `/`. */
function groupFolders(hierarchy: Hierarchy | undefined): readonly string[] {
  if (hierarchy === undefined) return [];
  const parts = hierarchy.path.split('/').filter((part) => part !== '');
  return [...parts.keys(), parts.length].map((up) => [hierarchy.mount, ...parts.slice(0, parts.length - up)].join('/'));
}

/** A quota and its period in microseconds; `undefined` for `max`, -1 and nothing at all. */
function parseCores(text: string): number | undefined {
  const [quota, period] = text.trim().split(/\s+/).map(Number);
  if (quota === undefined || period === undefined || !(quota > 0) || !(period > 0)) return undefined;
  return quota / period;
}

/** `undefined` for `max`, and for the largest number there is, which means the same in version 1. */
function parseBytes(text: string): number | undefined {
  const bytes = /^\d+$/.test(text.trim()) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
