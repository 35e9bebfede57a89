import { readFile } from 'node:fs/promises';

export interface ProcessFigures {
  readonly pid: number;
  /** Tells a process from a later one with the same id. */
  readonly startTicks: number;
  readonly cpuSeconds: number;
  readonly virtualBytes: number;
  readonly residentBytes: number;
  /** Each page that it shares counts in part; `undefined` where the system does not say. */
  readonly proportionalBytes: number | undefined;
  /** Ids of the processes that its main thread has started. */
  readonly children: readonly number[];
}

/** Of what Linux counts for its users, on all machines that Node.js runs on. */
const TICKS_PER_SECOND = 100;

/** From Linux's /proc; `undefined` where that is not there, or the process is gone. */
export async function readProcess(pid: number): Promise<ProcessFigures | undefined> {
  const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => undefined);
  const [stat, status, rollup, children] = await Promise.all([
    read('stat'),
    read('status'),
    read('smaps_rollup'),
    read(`task/${pid}/children`),
  ]);
  if (stat === undefined || status === undefined) return undefined;
  // The name, which may hold anything, is in brackets; the third field comes after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    pid,
    cpuSeconds: (field(14) + field(15)) / TICKS_PER_SECOND,
    startTicks: field(22),
    virtualBytes: kilobytes(status, 'VmSize') ?? 0,
    residentBytes: kilobytes(status, 'VmRSS') ?? 0,
    proportionalBytes: rollup === undefined ? undefined : kilobytes(rollup, 'Pss'),
    children: children?.split(' ').filter(Boolean).map(Number) ?? [],
  };
}

/** The most that this process has held in memory; `undefined` where there is no Linux /proc. */
export async function readPeakBytes(): Promise<number | undefined> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => undefined);
  return status === undefined ? undefined : kilobytes(status, 'VmHWM');
}

/** A process and its descendants, and those of `more` that are not among them. */
export async function readProcessTree(pid: number, more: Iterable<number> = []): Promise<readonly ProcessFigures[]> {
  const found = new Map<number, ProcessFigures>();
  let wanted = [pid, ...more];
  while (wanted.length > 0) {
    const figures = (await Promise.all(wanted.map(readProcess))).filter((each) => each !== undefined);
    for (const each of figures) found.set(each.pid, each);
    wanted = figures.flatMap(({ children }) => children).filter((child) => !found.has(child));
  }
  return [...found.values()];
}

function kilobytes(text: string, name: string): number | undefined {
  const match = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text);
  return match === null ? undefined : Number(match[1]) * 1024;
}
